import Foundation
import OpenSwiftData
import Testing

@Suite("Decoded identifiers of unsaved models")
struct TemporaryIdentifierTests {
  private func decoded(_ identifier: PersistentIdentifier) throws -> PersistentIdentifier {
    try JSONDecoder().decode(
      PersistentIdentifier.self, from: JSONEncoder().encode(identifier))
  }

  @Test("a decoded temporary identifier leads to the unsaved model of the context")
  func unsaved() throws {
    let context = try Library.context()
    let (one, other) = (Author(name: "one"), Author(name: "other"))
    context.insert(one)
    context.insert(other)
    let id = try decoded(other.persistentModelID)
    #expect(id.isTemporary && id == other.persistentModelID)
    #expect(context.model(for: id) === other)
    let registered: Author? = context.registeredModel(for: id)
    #expect(registered === other)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Author>()) == 2)
  }

  @Test(
    "a predicate finds an unsaved model by a decoded identifier, and by one read before insertion")
  func predicates() throws {
    let context = try Library.context()
    let author = Author(name: "one")
    let early = author.persistentModelID
    context.insert(author)
    context.insert(Author(name: "other"))
    for id in [early, try decoded(author.persistentModelID)] {
      #expect(id == author.persistentModelID)
      let found = try context.fetch(
        FetchDescriptor<Author>(predicate: #Predicate { $0.persistentModelID == id }))
      #expect(found.map(\.name) == ["one"])
    }
  }

  @Test("a decoded temporary identifier of another context leads to an empty model")
  func unknown() throws {
    let context = try Library.context()
    let author = Author(name: "one")
    context.insert(author)
    let other = ModelContext(context.container)
    let id = try decoded(author.persistentModelID)
    let registered: Author? = other.registeredModel(for: id)
    #expect(registered == nil)
    _ = other.model(for: id)
    #expect(throws: SwiftDataError.unknownSchema) { try other.save() }
  }
}
