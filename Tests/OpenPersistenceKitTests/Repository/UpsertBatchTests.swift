import CoreData
import Foundation
import OpenPersistenceKit
import Testing

@Suite("Upsert batches")
struct UpsertBatchTests {
  private static func store(_ keys: [String], in controller: PersistenceController) throws {
    try controller.performBatchOperation { context in
      for key in keys { KitUser(context: context).userID = key }
    }
  }

  private static func keys(_ controller: PersistenceController) throws -> [String] {
    try controller.performBatchOperation { context in
      try BaseRepository<KitUser>(context: context).fetch().compactMap(\.userID).sorted()
    }
  }

  private static func batch(
    _ values: [String], _ context: NSManagedObjectContext
  ) throws -> UpsertBatch<KitUser> {
    try UpsertBatch(in: context, key: "userID", values: values)
  }

  @Test(
    "a key that was not among the values finds its object, and is inserted once if there is none")
  func unexpectedKeys() throws {
    let controller = try KitStack.make()
    try Self.store(["a", "b"], in: controller)
    try controller.performBatchOperation { context in
      let users = try Self.batch(["a"], context)
      #expect(users.existing("b")?.userID == "b")
      #expect(!users["b"].objectID.isTemporaryID)
      #expect(users.existing("c") == nil)
      let made = users["c"]
      #expect(try users.object(for: "c") === made)
      #expect(users.insertedCount == 1)
      #expect(Set(users.all.keys) == ["a", "b", "c"])
    }
    #expect(try Self.keys(controller) == ["a", "b", "c"])
  }

  private static let composed = "Andr\u{E9} \u{1EC7}"
  private static let decomposed = "Andre\u{301} e\u{323}\u{302}"

  @Test(
    "a key finds the object that is stored under another Unicode form of it",
    arguments: [(composed, decomposed), (decomposed, composed)])
  func unicodeForms(_ forms: (stored: String, wanted: String)) throws {
    let controller = PersistenceController(inMemory: true)
    let folder = try Folder()
    for controller in [controller, folder.open()] {
      try controller.performBatchOperation { context in
        let genre = Genre(context: context)
        genre.name = forms.stored
      }
      try controller.performBatchOperation { context in
        let genres = try UpsertBatch<Genre>(
          in: context, identifiedBy: \.name, identifiers: [forms.wanted])
        let genre = genres[forms.wanted]
        #expect(!genre.objectID.isTemporaryID)
        #expect(genre.name.utf8.elementsEqual(forms.stored.utf8), "the stored form stays")
        #expect(genres[forms.stored] === genre)
        let other = try UpsertBatch<Genre>(in: context, identifiedBy: \.name, identifiers: [])
        #expect(other.existing(forms.wanted) === genre)
        #expect(!context.hasChanges)
      }
    }
  }

  @Test("if both forms are stored, the exact one is found; of equal keys, the oldest object")
  func rivals() throws {
    let controller = try KitStack.make()
    try Self.store([Self.composed, Self.decomposed, "a"], in: controller)
    try Self.store(["a"], in: controller)
    try controller.performBatchOperation { context in
      for form in [Self.composed, Self.decomposed] {
        let users = try Self.batch([form], context)
        #expect(try #require(users.existing(form)?.userID).utf8.elementsEqual(form.utf8))
      }
      let oldest = try BaseRepository<KitUser>(context: context)
        .fetch(predicate: NSPredicate(format: "userID == 'a'"))
        .map(\.objectID).min { $0.uriRepresentation().path < $1.uriRepresentation().path }
      #expect(try Self.batch(["a"], context)["a"].objectID == oldest)
    }
  }

  @Test("objects that were deleted or have left the context are not returned")
  func deletedObjects() throws {
    let controller = try KitStack.make()
    try Self.store(["a", "b"], in: controller)
    try controller.performBatchOperation { context in
      let users = try Self.batch(["a", "b"], context)
      let first = users["a"]
      context.delete(first)
      #expect(users.existing("a") == nil)
      #expect(users.all["a"] == nil)
      let second = users["a"]
      #expect(second !== first && !second.isDeleted && second.objectID.isTemporaryID)
      try context.save()
      #expect(users["a"] === second)
      context.delete(second)
      try context.save()
      #expect(users["a"] !== second)
      try context.save()
      context.reset()
      #expect(!users["a"].objectID.isTemporaryID, "it is stored, and only left the context")
      #expect(users["b"].managedObjectContext === context)
      #expect(!context.hasChanges)
    }
    #expect(try Self.keys(controller) == ["a", "b"])
  }

  @Test("a failed fetch inserts nothing, and the save throws")
  func failedFetch() throws {
    let folder = try Folder()
    let controller = folder.open()
    let context = controller.newBackgroundContext()
    try context.performAndWait {
      let genres = try UpsertBatch<Genre>(in: context, key: "name", values: ["Rock"])
      let coordinator = controller.container.persistentStoreCoordinator
      for store in coordinator.persistentStores { try coordinator.remove(store) }
      #expect(throws: (any Error).self) { try genres.object(for: "Jazz") }
      let jazz = genres["Jazz"]
      jazz.name = "Jazz"
      #expect(genres.existing("Blues") == nil)
      #expect(jazz.managedObjectContext == nil && context.insertedObjects.isEmpty)
      for _ in 0..<2 { #expect(throws: (any Error).self) { try context.save() } }
      context.rollback()
      #expect(!context.hasChanges)
    }
  }

  @Test(
    "a key that is no text attribute throws, before objects are recreated",
    arguments: ["age", "nothing", "", "name.length"])
  func wrongKey(_ key: String) throws {
    let context = try KitStack.make().newBackgroundContext()
    context.performAndWait {
      for values in [[], ["a"]] {
        let error = #expect(throws: CocoaError.self) {
          try UpsertBatch<KitUser>(in: context, key: key, values: values)
        }
        #expect(error?.code == .coreData)
      }
    }
  }
}
