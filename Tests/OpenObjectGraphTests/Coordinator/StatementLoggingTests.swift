import Foundation
import OpenCoreData
import Testing

/// The log of statements that Apple's launch argument enables.
@Suite("Statement log")
struct StatementLoggingTests {
  // Each test runs in a separate process, because the log is one stream for the process.

  @Test("at level 1 the statement and its time are logged, without rows and values")
  func textAndTime() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) { try StatementLoggingTests.fetch(atLevel: 1) }
    let log = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let statement = try #require(log.split(separator: "\n").first { $0.contains("ZTITLE = ?") })
    #expect(statement.contains("CoreData: sql: SELECT"))
    #expect(log.contains("CoreData: annotation: total execution time: "))
    #expect(!log.contains(" rows"))
    #expect(!log.contains("secret"))
  }

  @Test("at level 3 rows are counted and values shown")
  func rowsAndValues() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) { try StatementLoggingTests.fetch(atLevel: 3) }
    let log = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let lines = log.split(separator: "\n")
    let place = try #require(lines.lastIndex { $0.contains("ZTITLE = 'secret'") })
    #expect(lines[place + 1].hasSuffix("for 2 rows"))
    // The log contains a separate statement for each written row.
    #expect(lines.count { $0.contains("INSERT INTO ZSHELFBOOK") } == 3)
    #expect(log.contains("'other'"))
  }

  @Test("without the option nothing is logged")
  func silence() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) { try StatementLoggingTests.fetch(atLevel: 0) }
    let log = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(!log.contains("CoreData: sql"))
  }

  private static func fetch(atLevel level: Int) throws {
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
    description.setOption(NSNumber(value: level), forKey: OpenSQLDebugOption)
    let context = try NSPersistentContainer.loaded("Shelf", ShelfModel.make(), [description])
      .newBackgroundContext()
    try context.performAndWait { () throws in
      for title in ["secret", "secret", "other"] { ShelfBook(context: context).title = title }
      try context.save()
      context.reset()
      let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
      request.predicate = NSPredicate(format: "title == %@", "secret")
      guard try context.fetch(request).count == 2 else { throw CocoaError(.coderInvalidValue) }
    }
  }
}
