import Foundation
import OpenSwiftData
import Testing

@Model
final class Mountaineer {
  var name: String
  @Relationship(inverse: \Ascent.leader) var led: [Ascent] = []
  @Relationship(inverse: \Ascent.deputy) var assisted: [Ascent] = []

  init(name: String) { self.name = name }
}

protocol Led {
  var leader: Mountaineer? { get }
}

@Model
final class Ascent {
  var number: Int
  var leader: Mountaineer?
  var deputy: Mountaineer?

  var contact: Mountaineer? { leader ?? deputy }
  var contactID: PersistentIdentifier? { contact?.persistentModelID }

  init(number: Int) { self.number = number }
}

extension Ascent: Led {}

@Suite("Computed properties that return the destination of a relationship")
struct ComputedRelationshipTests {
  private let context: ModelContext
  private let deputy: PersistentIdentifier

  init() throws {
    context = try Library.context(Schema([Ascent.self, Mountaineer.self]), inMemory: true)
    let (one, other) = (Ascent(number: 1), Ascent(number: 2))
    let (leader, deputy) = (Mountaineer(name: "leader"), Mountaineer(name: "deputy"))
    for ascent in [one, other] { context.insert(ascent) }
    one.leader = leader
    other.deputy = deputy
    try context.save()
    self.deputy = deputy.persistentModelID
  }

  @Test("a fetch throws, and does not confuse the property with the relationship that it reads")
  func unsupported() throws {
    let id = deputy
    for predicate in [
      #Predicate<Ascent> { $0.contact == nil }, #Predicate<Ascent> { $0.contact?.name == "deputy" },
      #Predicate<Ascent> { $0.contactID == id },
    ] {
      #expect(throws: SwiftDataError.unsupportedKeyPath) {
        try context.fetch(FetchDescriptor(predicate: predicate))
      }
    }
  }

  @Test("a relationship that generic code reads through a protocol is supported")
  func generic() throws {
    func count<Model: PersistentModel & Led>(
      of type: Model.Type, ledBy name: String
    ) throws -> Int {
      let predicate = #Predicate<Model> { $0.leader?.name == name }
      return try context.fetchCount(FetchDescriptor(predicate: predicate))
    }
    #expect(try count(of: Ascent.self, ledBy: "leader") == 1)
    #expect(try count(of: Ascent.self, ledBy: "deputy") == 0)
  }
}
