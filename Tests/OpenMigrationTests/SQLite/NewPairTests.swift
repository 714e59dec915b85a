import Foundation
import OpenCoreData
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import OpenPredicates
import OpenSQLiteStore
import OpenStoreContract
import PostgresTestServer
import Testing
import class OpenPredicates.NSExpression

@Suite("Relationships that become one-to-one")
struct NewPairTests {
  /// Persons with seats, and the numbers of the seats as derived attributes.
  private func seats(isPaired: Bool) -> NSManagedObjectModel {
    Models.make { models in
      let person = models.entity("Person").attribute("name")
      let seat = models.entity("Seat").attribute("number")
      if isPaired {
        models.link(person, "seat", seat, "person")
      } else {
        person.relationship("seat", to: seat)
      }
      let number = NSDerivedAttributeDescription()
      number.name = "seatNumber"
      number.type = .string
      number.derivationExpression = NSExpression(forKeyPath: "seat.number")
      person.properties.append(number)
    }
  }

  /// Persons who refer to a friend.
  private func friends(isPaired: Bool) -> NSManagedObjectModel {
    Models.make { models in
      let person = models.entity("Person").attribute("name")
      person.relationship("friend", to: person)
      guard isPaired, let friend = person.relationshipsByName["friend"] else { return }
      friend.inverseRelationship = friend
    }
  }

  @Test(
    "an object keeps the owner with the least key if a to-one relationship gets an inverse (D-479)")
  func newInverse() throws {
    let store = try MigratedStore()
    let (old, new) = (seats(isPaired: false), seats(isPaired: true))
    try store.withContext(old) { context in
      let seat = context.insert("Seat", ["number": "1"])
      for name in ["Ann", "Ben"] {
        context.insert("Person", ["name": name, "seat": seat])
        try context.save()
      }
    }
    #expect(
      try store.plan(old, new).losses
        == [.init(entityName: "Person", propertyName: "seat", rowCount: 1)])
    try store.migrate(old, new)
    try store.withContext(new) { context in
      let people = try context.all("Person", by: "name")
      #expect(people.map { $0.texts("seat", "number") } == [["1"], []])
      #expect(people.map { $0.value(forKey: "seatNumber") as? String } == ["1", nil])
      let seats = try context.all("Seat", by: "number")
      #expect(seats.map { $0.texts("person", "name") } == [["Ann"]])
    }
    #expect(try store.damage(new) == [])
  }

  @Test(
    "both objects of a pair refer to each other if a relationship becomes its own inverse (D-479)",
    arguments: SQLiteMigrationTests.ways)
  func ownInverse(_ way: StoreMigrationPlan.Way) throws {
    let store = try MigratedStore()
    let (old, new) = (friends(isPaired: false), friends(isPaired: true))
    try store.withContext(old, fillFriends)
    try store.migrate(old, new, by: way)
    let friends = try store.withContext(new, namesOfFriends)
    #expect(friends == [["Ben"], ["Ann"], []])
    #expect(try store.damage(new) == [])
  }

  @Test(
    "in PostgreSQL, both objects of a pair refer to each other as well (D-479)",
    .enabled(if: TestServer.isPresent), arguments: PostgresMigrationTests.ways)
  func ownInverseInPostgres(_ way: StoreMigrationPlan.Way) throws {
    let store = try ServedStore()
    let (old, new) = (friends(isPaired: false), friends(isPaired: true))
    try store.with(old, fillFriends)
    try store.migrate(old, new, by: way)
    #expect(try store.with(new, namesOfFriends) == [["Ben"], ["Ann"], []])
  }

  /// Saves Ben, and then Ann and Cid, whose friend is Ben.
  private func fillFriends(_ context: NSManagedObjectContext) throws {
    let ben = context.insert("Person", ["name": "Ben"])
    for name in ["Ann", "Cid"] {
      context.insert("Person", ["name": name, "friend": ben])
      try context.save()
    }
  }

  private func namesOfFriends(_ context: NSManagedObjectContext) throws -> [[String]] {
    try context.all("Person", by: "name").map { $0.texts("friend", "name") }
  }
}
