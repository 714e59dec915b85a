import Foundation
import OpenSwiftData
import Testing

@Suite("Fetching and deleting models of a class hierarchy")
struct FamilyDeletionTests {
  private func context() throws -> ModelContext {
    let container = try ModelContainer(
      for: Animal.self, Dog.self, Puppy.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(Animal(name: "cat"))
    context.insert(Dog(name: "dog", breed: "x"))
    context.insert(Puppy(weeks: 3))
    try context.save()
    return context
  }

  private func names(_ context: ModelContext) throws -> [String] {
    try context.fetch(FetchDescriptor<Animal>()).map(\.name).sorted()
  }

  @Test("a fetch of a base class includes the models of subclasses")
  func fetching() throws {
    let context = try context()
    #expect(try names(context) == ["cat", "dog", "pup"])
    #expect(try context.fetch(FetchDescriptor<Dog>()).count == 2)
    #expect(try context.fetch(FetchDescriptor<Puppy>()).map(\.weeks) == [3])
    #expect(
      try context.fetch(FetchDescriptor<Animal>(predicate: #Predicate { $0 is Dog })).count == 2)
  }

  @Test("deleting by type can keep the models of subclasses")
  func deleting() throws {
    let context = try context()
    try context.delete(model: Animal.self, includeSubclasses: false)
    try context.save()
    #expect(try names(context) == ["dog", "pup"])
    try context.delete(model: Dog.self, where: #Predicate { $0.breed == "mix" })
    try context.save()
    #expect(try names(context) == ["dog"])
    try context.delete(model: Animal.self)
    try context.save()
    #expect(try names(context) == [])
  }
}
