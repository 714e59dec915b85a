import OpenSwiftData
import Testing

@Suite("Uniqueness constraints with relationships")
struct RelationshipConstraintTests {
  @Test(
    "a new model with the unique relationship and value of a saved model updates the saved model",
    arguments: [true, false])
  func upsert(inMemory: Bool) throws {
    let context = try Library.context(
      Schema([Cupboard.self, CupboardSlot.self]), inMemory: inMemory)
    let cupboard = Cupboard(name: "a")
    context.insert(cupboard)
    context.insert(CupboardSlot(number: 1, label: "old", cupboard: cupboard))
    try context.save()
    let other = ModelContext(context.container)
    let found = try #require(try other.fetch(FetchDescriptor<Cupboard>()).first)
    other.insert(CupboardSlot(number: 1, label: "new", cupboard: found))
    other.insert(CupboardSlot(number: 2, label: "second", cupboard: found))
    try other.save()
    let reader = ModelContext(context.container)
    let slots = try reader.fetch(FetchDescriptor<CupboardSlot>())
    #expect(slots.map(\.label).sorted() == ["new", "second"])
    #expect(slots.allSatisfy { $0.cupboard?.name == "a" })
  }
}

@Model
final class Cupboard {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \CupboardSlot.cupboard)
  var slots: [CupboardSlot] = []

  init(name: String) { self.name = name }
}

@Model
final class CupboardSlot {
  #Unique<CupboardSlot>([\.cupboard, \.number])

  var number: Int
  var label: String
  var cupboard: Cupboard?

  init(number: Int, label: String, cupboard: Cupboard?) {
    self.number = number
    self.label = label
    self.cupboard = cupboard
  }
}
