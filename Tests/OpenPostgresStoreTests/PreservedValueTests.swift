import Foundation
import OpenCoreData
import OpenPostgresStore
import PostgresTestServer
import Testing

@Suite(
  "Values that the history preserves of deleted objects", .enabled(if: TestServer.isPresent))
struct PreservedValueTests {
  /// Entries with an attribute of each type, all of which the history preserves.
  // Invariant: the model is not changed once it is made.
  nonisolated(unsafe) private static let model: NSManagedObjectModel = {
    let types: [(String, NSAttributeType)] = [
      ("count", .integer64AttributeType), ("ratio", .doubleAttributeType),
      ("isRead", .booleanAttributeType), ("isNew", .booleanAttributeType),
      ("price", .decimalAttributeType), ("title", .stringAttributeType),
      ("published", .dateAttributeType), ("isbn", .UUIDAttributeType),
      ("page", .URIAttributeType), ("cover", .binaryDataAttributeType),
    ]
    let entry = NSEntityDescription()
    entry.name = "Entry"
    entry.properties = types.map { name, type in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType) = (name, type)
      attribute.isOptional = true
      attribute.preservesValueInHistoryOnDeletion = true
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [entry]
    return model
  }()

  private func context() throws -> NSManagedObjectContext {
    try .opening(
      Self.model, OpenPostgresStoreType, at: TestServer.shared.get().newURL(),
      options: [NSPersistentHistoryTrackingKey: true])
  }

  @Test("values of every type are preserved unchanged")
  func values() throws {
    let context = try context()
    let isbn = UUID()
    let page = try #require(URL(string: "https://example.com/a?b=c"))
    try context.performAndWait {
      let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
      entry.setValue(Int64.max, forKey: "count")
      entry.setValue(3.0, forKey: "ratio")
      entry.setValue(true, forKey: "isRead")
      entry.setValue(false, forKey: "isNew")
      entry.setValue(NSDecimalNumber(string: "-12.345"), forKey: "price")
      entry.setValue("Ursula \u{0} ☃", forKey: "title")
      entry.setValue(Date(timeIntervalSinceReferenceDate: 1234), forKey: "published")
      entry.setValue(isbn, forKey: "isbn")
      entry.setValue(page, forKey: "page")
      entry.setValue(Data([0, 255]), forKey: "cover")
      try context.save()
      context.delete(entry)
      try context.save()
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
      let kept = try #require(transactions.last?.changes?.first?.tombstone)
      #expect(kept["count"] as? Int64 == Int64.max)
      #expect(kept["ratio"] as? Double == 3)
      #expect(kept["isRead"] as? Bool == true)
      #expect(kept["isNew"] as? Bool == false)
      #expect(kept["price"] as? NSDecimalNumber == NSDecimalNumber(string: "-12.345"))
      #expect(kept["title"] as? String == "Ursula \u{0} ☃")
      #expect(kept["published"] as? Date == Date(timeIntervalSinceReferenceDate: 1234))
      #expect(kept["isbn"] as? UUID == isbn)
      #expect(kept["page"] as? URL == page)
      #expect(kept["cover"] as? Data == Data([0, 255]))
    }
  }
}
