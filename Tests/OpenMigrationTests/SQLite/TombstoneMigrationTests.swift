import Foundation
import OpenCoreData
import OpenObjectModel
import OpenStoreContract
import Testing

@Suite("A migration keeps the preserved values of deleted rows")
struct TombstoneMigrationTests {
  private let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true as NSNumber]

  /// Inserts a book and deletes it.
  private func deleteBook(
    _ values: [String: Any?], in store: MigratedStore, _ model: NSManagedObjectModel
  ) throws {
    try store.withContext(model, options: options) { context in
      let book = context.insert("Book", values)
      try context.save()
      context.delete(book)
      try context.save()
    }
  }

  /// Returns a preserved value of the deleted book.
  private func value(
    _ key: String, in store: MigratedStore, _ model: NSManagedObjectModel
  ) throws -> Any? {
    try store.withContext(model, options: options) { context -> Any? in
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
      let deletion = try #require(transactions.last?.changes?.last)
      #expect(deletion.changeType == .delete)
      return deletion.tombstone?[key]
    }
  }

  @Test(
    "a value moves to another column when a preserved attribute is removed",
    arguments: SQLiteMigrationTests.ways)
  func movedValue(_ way: StoreMigrationPlan.Way) throws {
    let make = { (hasAuthor: Bool) in
      Models.make { models in
        let book = models.entity("Book").attribute("note")
        if hasAuthor { book.attribute("author") }
        for attribute in book.attributesByName.values {
          attribute.preservesValueInHistoryOnDeletion = true
        }
      }
    }
    let (old, new) = (make(true), make(false))
    let store = try MigratedStore()
    try deleteBook(["author": "Frank Herbert", "note": "sand"], in: store, old)
    try store.migrate(old, new, by: way)
    #expect(try value("note", in: store, new) as? String == "sand")
    #expect(try store.damage(new) == [])
    #expect(try store.schema() == store.newSchema(new, tracksHistory: true))
  }

  private func covers(isExternal: Bool) -> NSManagedObjectModel {
    Models.make { models in
      let book = models.entity("Book").attribute("cover", .binaryData)
      book.attributesByName["cover"]?.preservesValueInHistoryOnDeletion = true
      book.attributesByName["cover"]?.allowsExternalBinaryDataStorage = isExternal
    }
  }

  @Test(
    "a value stays the same when external storage is forbidden and allowed again",
    arguments: SQLiteMigrationTests.ways)
  func externalStorage(_ way: StoreMigrationPlan.Way) throws {
    let (external, plain) = (covers(isExternal: true), covers(isExternal: false))
    let bytes = Data([0xDE, 0xAD])
    let store = try MigratedStore()
    try deleteBook(["cover": bytes], in: store, external)
    try store.migrate(external, plain, by: way)
    #expect(try value("cover", in: store, plain) as? Data == bytes)
    try store.migrate(plain, external, by: way)
    #expect(try value("cover", in: store, external) as? Data == bytes)
  }

  @Test(
    "a value whose file was deleted with its row is not preserved",
    arguments: SQLiteMigrationTests.ways)
  func deletedFile(_ way: StoreMigrationPlan.Way) throws {
    let (external, plain) = (covers(isExternal: true), covers(isExternal: false))
    let store = try MigratedStore()
    try deleteBook(["cover": Data(repeating: 9, count: 200_000)], in: store, external)
    try store.migrate(external, plain, by: way)
    #expect(try value("cover", in: store, plain) as? Data == nil)
  }
}
