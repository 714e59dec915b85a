import Foundation
import OpenCoreData
import OpenPostgresStore
import PostgresTestServer
import Testing

@Suite("Rights, limits and settings of servers", .enabled(if: TestServer.isPresent))
struct ServerLimitTests {
  private func insertBook(_ context: NSManagedObjectContext) throws {
    NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      .setValue("first", forKey: "title")
    try context.save()
  }

  @Test("a user who cannot create schemas can create a store in an existing schema")
  func existingSchema() throws {
    let url = try TestServer.shared.get().url(ofNewRole: "schema_owner")
    let context = try Library.container(url).viewContext
    try context.performAndWait {
      try insertBook(context)
      let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
      #expect(count == 1)
    }
  }

  @Test("a statement that exceeds the server's statement_timeout throws 134090, not a cancellation")
  func statementTimeout() throws {
    let server = try TestServer.shared.get()
    let url = try server.url(ofNewRole: "hasty")
    let first = try Library.container(url).viewContext
    try first.performAndWait { try insertBook(first) }
    try server.execute(
      """
      ALTER TABLE hasty.zbook ENABLE ROW LEVEL SECURITY;
      ALTER TABLE hasty.zbook FORCE ROW LEVEL SECURITY;
      CREATE POLICY slow ON hasty.zbook USING (pg_sleep(600)::text = '');
      ALTER ROLE hasty SET statement_timeout = '1s'
      """)
    let context = try Library.container(url).newBackgroundContext()
    context.performAndWait {
      let calls: [() throws -> Void] = [
        { _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")) },
        { try insertBook(context) },
      ]
      for call in calls {
        let error = #expect(throws: CocoaError.self) { try call() }
        #expect(error?.code == .persistentStoreTimeout)
        #expect(error?.localizedDescription.contains("statement_timeout") == true)
      }
    }
  }

  @Test("a server without a free connection is reported as such")
  func noConnection() throws {
    let url = try TestServer.shared.get().url(ofNewRole: "excluded", "CONNECTION LIMIT 0")
    let error = #expect(throws: CocoaError.self) { try Library.container(url) }
    #expect(error?.code == .persistentStoreOpen)
    #expect(error?.localizedDescription.contains("no free connection") == true)
  }

  @Test("threads share the connections that the server accepts", .timeLimit(.minutes(5)))
  func oneConnection() async throws {
    let url = try TestServer.shared.get().url(ofNewRole: "lonely", "CONNECTION LIMIT 1")
    let container = try Library.container(url, tracksHistory: false) { $0.timeout = 60 }
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let context = container.newBackgroundContext()
          return try await context.perform {
            var sum = 0
            for _ in 0..<5 {
              sum += try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
            }
            return sum
          }
        }
      }
      var counts: [Int] = []
      for try await count in group { counts.append(count) }
      return counts
    }
    #expect(counts == [0, 0, 0, 0])
  }

  @Test("null and a decimal number are saved together, whatever the server's array_nulls is")
  func arrayNulls() throws {
    let server = try TestServer.shared.get()
    let url = try server.url(ofNewRole: "without_nulls")
    try server.execute("ALTER ROLE without_nulls SET array_nulls = off")
    let context = try Library.container(url).viewContext
    try context.performAndWait {
      for price in [nil, NSDecimalNumber(string: "1.5")] {
        NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
          .setValue(price, forKey: "price")
      }
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.predicate = NSPredicate(format: "price == nil")
      request.includesPendingChanges = false
      let count = try context.count(for: request)
      #expect(count == 1)
    }
  }

  @Test("a database with another encoding than UTF-8 throws 134080")
  func encoding() throws {
    let server = try TestServer.shared.get()
    try server.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    let text = try server.newURL().absoluteString.replacing("///postgres?", with: "///latin?")
    let url = try #require(URL(string: text))
    let error = #expect(throws: CocoaError.self) { try Library.container(url) }
    #expect(error?.code == .persistentStoreOpen)
    #expect(error?.localizedDescription.contains("UTF8") == true)
  }
}
