import Foundation
import Glibc
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

  @Test("a decimal attribute has the result type of its expression description")
  func resultTypesOfDecimals() throws {
    let context = try Library.container(try TestServer.shared.get().newURL()).viewContext
    try context.performAndWait {
      NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        .setValue(NSDecimalNumber(string: "9007199254740993.75"), forKey: "price")
      try context.save()
      let types: [(String, NSAttributeType)] = [
        ("real", .doubleAttributeType), ("whole", .integer64AttributeType),
        ("text", .stringAttributeType),
      ]
      let request = NSFetchRequest<NSDictionary>(entityName: "Book")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = types.map { name, type in
        let column = NSExpressionDescription()
        (column.name, column.expressionResultType) = (name, type)
        column.expression = NSExpression(forKeyPath: "price")
        return column
      }
      let row = try #require(try context.fetch(request).first)
      #expect(row["real"] as? Double == 9007199254740993.75)
      #expect(row["whole"] as? Int64 == 9_007_199_254_740_993)
      #expect(row["text"] as? String == "9007199254740993.75")
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

  @Test("a save rejects an object whose values total more than four gigabytes (D-426)")
  func valuesBeyondFourGigabytes() throws {
    let context = try Library.container(try TestServer.shared.get().newURL()).viewContext
    let size = (4 << 30) + 1
    // Memory that is never read is not allocated.
    let memory = mmap(
      nil, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    let start = try #require(memory == MAP_FAILED ? nil : memory)
    let cover = Data(
      bytesNoCopy: start, count: size, deallocator: .custom { _ = munmap($0, $1) })
    try context.performAndWait {
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue(cover, forKey: "cover")
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect((error?.userInfo[OpenStoreErrorKey] as? StoreError)?.code == .unfitValue)
      book.setValue(Data(count: 1), forKey: "cover")
      try context.save()
    }
  }

  /// The size of each of the values of a large save. libpq stores at most two gigabytes, which
  /// five of the larger values exceed.
  private static let coverSize =
    ProcessInfo.processInfo.environment["OPENCOREDATA_LARGE_SAVES"] == nil ? 20 << 20 : 500 << 20

  @Test("a save can exceed the send buffer of the client library")
  func largeSaves() throws {
    let server = try TestServer.shared.get()
    let schema = "large_saves"
    let context = try Library.container(try server.url(schema: schema)).viewContext
    let size = Self.coverSize
    try context.performAndWait {
      for _ in 0..<5 {
        NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
          .setValue(Data(count: size), forKey: "cover")
      }
      try context.save()
    }
    // The statement fails unless the store contains all values.
    try server.execute(
      "SELECT 1 / (count(*) = 5)::int FROM \(schema).zbook WHERE octet_length(zcover) = \(size)")
  }

  @Test(
    "a save rejects a long text under a uniqueness constraint, and can be repeated without it (D-389)"
  )
  func longTexts() throws {
    let context = try Library.container(try TestServer.shared.get().newURL()).viewContext
    try context.performAndWait {
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      var numbers = SystemRandomNumberGenerator()
      // Servers compress repetitive data.
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
