import Foundation
import OpenCoreData
import OpenPostgresStore
import OpenStoreContract
import PostgresTestServer
import Testing

import class OpenPredicates.NSExpression

@Suite("What differs from a SQLite store", .enabled(if: TestServer.isPresent))
struct PostgresDeviationTests {
  @Test("decimals keep 38 digits (D-388)")
  func decimals() throws {
    let url = try TestServer.shared.get().newURL()
    let digits = "12345678901234567890123456789.012345678"
    let context = try Library.container(url).viewContext
    try context.performAndWait {
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue(NSDecimalNumber(string: digits), forKey: "price")
      try context.save()
    }
    let other = try Library.container(url).viewContext
    try other.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      let price = try other.fetch(request).first?.value(forKey: "price") as? NSDecimalNumber
      #expect(price?.description == digits)
    }
  }

  @Test("a sum of decimal numbers is exact (D-444)")
  func sumsOfDecimals() throws {
    let context = try Library.container(try TestServer.shared.get().newURL()).viewContext
    try context.performAndWait {
      for text in ["0.1", "0.2", "12345678901234567890.3"] {
        NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
          .setValue(NSDecimalNumber(string: text), forKey: "price")
      }
      try context.save()
      let column = NSExpressionDescription()
      column.name = "sum"
      column.expression = NSExpression(format: "sum:(price)")
      column.expressionResultType = .decimalAttributeType
      let request = NSFetchRequest<NSDictionary>(entityName: "Book")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = [column]
      let sum = try context.fetch(request).first?["sum"] as? NSDecimalNumber
      #expect(sum?.description == "12345678901234567890.6")
    }
  }

  @Test("a save rejects a value of more than 512 megabytes, and can be repeated without it (D-426)")
  func largeValues() throws {
    let context = try Library.container(try TestServer.shared.get().newURL()).viewContext
    try context.performAndWait {
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue(Data(count: (512 << 20) + 1), forKey: "cover")
      let error = #expect(throws: CocoaError.self) { try context.save() }
      let cause = error?.userInfo[OpenStoreErrorKey] as? StoreError
      #expect(cause?.code == .unfitValue)
      #expect(cause?.propertyName == "cover")
      book.setValue(Data(count: 1), forKey: "cover")
      try context.save()
      let update = NSBatchUpdateRequest(entityName: "Book")
      update.propertiesToUpdate = ["cover": Data(count: (512 << 20) + 1)]
      let failure = #expect(throws: NSError.self) { try context.execute(update) }
      #expect((failure?.userInfo[OpenStoreErrorKey] as? StoreError)?.code == .unfitValue)
    }
  }

  @Test(
    "a save rejects a long text under a uniqueness constraint, and can be repeated without it (D-389)"
  )
  func longTexts() throws {
    let context = try Library.container(try TestServer.shared.get().newURL()).viewContext
    try context.performAndWait {
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      var numbers = SystemRandomNumberGenerator()
      // Servers compress what repeats.
      let name = (0..<4000).map { _ in
        Character(Unicode.Scalar(UInt8.random(in: 33...126, using: &numbers)))
      }
      author.setValue(String(name), forKey: "name")
      let error = #expect(throws: CocoaError.self) { try context.save() }
      let cause = error?.userInfo[OpenStoreErrorKey] as? StoreError
      #expect(cause?.code == .unfitValue)
      author.setValue(String(name.prefix(2000)), forKey: "name")
      try context.save()
    }
  }
}
