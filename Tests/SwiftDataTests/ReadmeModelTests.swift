import SwiftData
import Testing

// The tour in README.md for SwiftData users, and the check that it does what the text says. Change both together.

@Model
final class Recipe {
  @Attribute(.unique) var id: UUID
  var name: String
  var servings: Int = 2
  @Relationship(deleteRule: .cascade, inverse: \Step.recipe) var steps: [Step] = []

  init(id: UUID = UUID(), name: String) {
    self.id = id
    self.name = name
  }
}

@Model
final class Step {
  var text: String
  var recipe: Recipe?

  init(text: String) { self.text = text }
}

@ModelActor
actor Kitchen {
  func rename(_ id: PersistentIdentifier, to name: String) throws {
    self[id, as: Recipe.self]?.name = name
    try modelContext.save()
  }
}

@Suite("The tour for SwiftData users")
struct ReadmeModelTests {
  @Test("the tour works")
  func tour() async throws {
    let container = try ModelContainer(
      for: Recipe.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)

    let soup = Recipe(name: "Soup")
    soup.steps = [Step(text: "Chop"), Step(text: "Boil")]
    context.insert(soup)
    try context.save()

    let wanted = FetchDescriptor<Recipe>(
      predicate: #Predicate { $0.servings >= 2 && $0.name.contains("S") },
      sortBy: [SortDescriptor(\.name)])
    let found = try context.fetch(wanted)
    #expect(found.map(\.name) == ["Soup"])
    #expect(found.first?.steps.map(\.text) == ["Chop", "Boil"])

    let kitchen = Kitchen(modelContainer: container)
    try await kitchen.rename(soup.persistentModelID, to: "Stew")
    #expect(try context.fetch(FetchDescriptor<Recipe>()).map(\.name) == ["Stew"])
  }
}
