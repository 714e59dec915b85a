import CoreData
import OpenPersistenceKit
import Testing

@ManagedObject
final class KitUser: NSManagedObject {
  @Managed var userID: String?
  @Managed var name: String?
  @Managed var age: Int32
}

/// A stack in memory for the tests of the kit.
enum KitStack {
  static func make() throws -> PersistenceController {
    let entity = NSEntityDescription()
    entity.name = "KitUser"
    entity.managedObjectClassName = "KitUser"
    entity.properties = [
      attribute("userID", .string), attribute("name", .string), attribute("age", .integer32),
    ]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return try PersistenceController(name: "Kit", model: model, storage: .inMemory)
  }

  private static func attribute(
    _ name: String, _ type: NSAttributeDescription.AttributeType
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.type = type
    return attribute
  }
}

@Suite("Persistence kit")
struct RepositoryTests {
  @Test("a repository creates, fetches, counts and deletes; errors are thrown")
  func repository() throws {
    let context = try KitStack.make().newBackgroundContext()
    try context.performAndWait {
      let users = BaseRepository<KitUser>(context: context)
      let ada = users.create()
      ada.userID = "1"
      ada.age = 36
      try users.save(ada)
      let grace = users.create()
      grace.userID = "2"
      grace.age = 85
      try users.save(grace)
      let sorted = try users.fetch(sortDescriptors: [NSSortDescriptor(key: "age", ascending: false)]
      )
      #expect(sorted == [grace, ada])
      #expect(try users.fetchFirst(predicate: NSPredicate(format: "userID == %@", "1")) === ada)
      #expect(try users.count() == 2)
      try users.delete(ada)
      try users.deleteAll(predicate: NSPredicate(format: "age > 80"))
      #expect(try users.count() == 0)
      _ = #expect(throws: (any Error).self) {
        try users.fetch(predicate: NSPredicate(format: "nothing == 1"))
      }
    }
  }

  @Test(
    "a query is built step by step; fetching the first result does not change the query's limit")
  func queryBuilder() throws {
    let context = try KitStack.make().newBackgroundContext()
    try context.performAndWait {
      for age in 1...9 {
        let user = KitUser(context: context)
        user.age = Int32(age)
        user.name = age % 2 == 0 ? "even" : "odd"
      }
      let query = QueryBuilder<KitUser>(entityName: "KitUser")
        .where("age > %d", 2).where("name == %@", "odd").orderBy("age", ascending: false)
        .offset(1).limit(2)
      let ages = try query.execute(in: context).map(\.age)
      #expect(ages == [7, 5])
      let first = try query.executeFirst(in: context)
      #expect(first?.age == 7)
      let count = try query.count(in: context)
      #expect(count == 2)
    }
  }

  @Test("an upsert batch finds or creates objects, and does not assign equal values")
  func upsert() throws {
    let controller = try KitStack.make()
    for round in 0..<2 {
      let context = controller.newBackgroundContext()
      try context.performAndWait {
        let batch = try UpsertBatch<KitUser>(in: context, key: "userID", values: ["a", "b", "a"])
        for value in ["a", "b", "a"] { batch[value].update(\.name, to: "Name of \(value)") }
        #expect(batch.insertedCount == (round == 0 ? 2 : 0))
        #expect(context.hasChanges == (round == 0))
        try context.save()
      }
    }
  }

  @Test("an upsert batch by a key path fetches once and finds its objects again")
  func upsertByKeyPath() throws {
    let controller = PersistenceController(inMemory: true)
    for round in 0..<2 {
      let inserted = try controller.performBatchOperation { context in
        let genres = try UpsertBatch<Genre>(
          in: context, identifiedBy: \.name, identifiers: ["Rock", "Jazz", "Rock"])
        #expect(genres["Rock"] === genres["Rock"])
        return [genres["Rock"], genres["Jazz"]].count + genres.insertedCount
      }
      #expect(inserted == (round == 0 ? 4 : 2))
    }
  }

  @Test("background work is saved and returns a value; if it throws, nothing is saved")
  func background() async throws {
    let controller = try KitStack.make()
    let count = try await controller.performBackgroundTask { context in
      KitUser(context: context).userID = "x"
      return context.insertedObjects.count
    }
    #expect(count == 1)
    struct Refusal: Error {}
    await #expect(throws: Refusal.self) {
      try await controller.performBackgroundTask { context in
        KitUser(context: context).userID = "y"
        throw Refusal()
      }
    }
    let total = try controller.performBatchOperation { context in
      try BaseRepository<KitUser>(context: context).count()
    }
    #expect(total == 1)
  }
}
