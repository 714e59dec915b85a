import Foundation
import OpenCoreData
import OpenPostgresStore
import OpenStoreContract
import PostgresTestServer
import Synchronization
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
        let cause = error?.userInfo[OpenStoreErrorKey] as? StoreError
        #expect(cause?.underlying is StatementTimeout)
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

  @Test("only a password that the server rejects is reported as such")
  func passwords() throws {
    let server = try TestServer.shared.get()
    let role = TestServer.roleWithPassword
    try server.execute(
      "CREATE ROLE \(role) LOGIN PASSWORD 'right'; CREATE SCHEMA \(role) AUTHORIZATION \(role)")
    let place = try server.url(schema: role).absoluteString
    let model = try Library.model.compiled()
    func opened(
      _ password: String, database: String = "postgres", precedingHost: String = "",
      _ options: String = ""
    ) throws -> PostgresStore {
      let text = place.replacing("user=tests", with: "user=\(role)&password=\(password)")
        .replacing("///postgres?", with: "///\(database)?")
        .replacing("host=", with: "host=\(precedingHost)")
      return try PostgresStore.open(
        StoreConfiguration(url: URL(string: text + options)), model: model)
    }
    try opened("right").close()
    let rejected = #expect(throws: StoreError.self) { try opened("wrong") }
    #expect(rejected?.code == .permission)
    // The message about the first host contains words that describe another cause.
    let second = #expect(throws: StoreError.self) {
      try opened("wrong", precedingHost: "%2Fshutting%20down,")
    }
    #expect(second?.code == .permission)
    let missing = #expect(throws: StoreError.self) { try opened("right", database: "missing") }
    #expect(missing?.code == .unreachable)
    // As on a standby server, all transactions are read-only.
    try server.execute("ALTER ROLE \(role) SET default_transaction_read_only = on")
    let standby = #expect(throws: StoreError.self) {
      try opened("right", "&target_session_attrs=read-write")
    }
    #expect(standby?.code == .unreachable)
  }

  @Test("threads share the connections that the server accepts", .timeLimit(.minutes(30)))
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

  @Test("saves succeed whatever the server's default_transaction_isolation is")
  func isolation() throws {
    let server = try TestServer.shared.get()
    let url = try server.url(ofNewRole: "repeatable_reader")
    try server.execute(
      "ALTER ROLE repeatable_reader SET default_transaction_isolation = 'repeatable read'")
    let other = try Library.container(url).newBackgroundContext()
    let isOver = Atomic<Bool>(false)
    let container = try Library.container(url) { description in
      description.setOption(
        StatementObserver { text in
          guard text.contains("INSERT INTO"), text.contains("zauthor"),
            !isOver.exchange(true, ordering: .sequentiallyConsistent)
          else { return }
          do { try other.performAndWait { try insertBook(other) } } catch { Issue.record(error) }
        }, forKey: OpenStatementObserverOption)
    }
    let context = container.newBackgroundContext()
    try context.performAndWait {
      // The order of the books makes the save a transaction of several round trips.
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      for _ in 0..<2 {
        NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
          .setValue(author, forKey: "author")
      }
      try context.save()
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
      #expect(transactions.map(\.transactionNumber) == [1, 2])
    }
  }

  @Test("through a pooler, keys and consumers are written with isolation level READ COMMITTED")
  func isolationBehindPooler() throws {
    let server = try TestServer.shared.get()
    let role = "pooled_reader"
    let text = try server.url(ofNewRole: role).absoluteString
    try server.execute("ALTER ROLE \(role) SET default_transaction_isolation = 'repeatable read'")
    var configuration = StoreConfiguration(url: URL(string: text + "&pooling=transaction"))
    configuration.tracksHistory = true
    let store = try PostgresStore.open(configuration, model: Library.model.compiled())
    defer { store.close() }
    try server.execute(
      """
      CREATE FUNCTION \(role).require_level() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF current_setting('transaction_isolation') <> 'read committed' THEN RAISE 'wrong'; END IF;
      RETURN NULL; END $$;
      CREATE TRIGGER level BEFORE UPDATE ON \(role).z_primarykey
      EXECUTE FUNCTION \(role).require_level();
      CREATE TRIGGER level BEFORE INSERT OR DELETE ON \(role).z_consumer
      EXECUTE FUNCTION \(role).require_level()
      """)
    let keys = try store.reserveKeys([0: 1])
    #expect(keys == [0: 1])
    let history = try #require(store.history)
    try history.setConsumer("reader", 1)
    let consumers = try history.consumers()
    #expect(consumers == ["reader": 1])
    try history.setConsumer("reader", nil)
    let remaining = try history.consumers()
    #expect(remaining.isEmpty)
  }

  @Test("a predicate with more than 65,535 values is rejected")
  func manyValues() throws {
    let context = try Library.container(try TestServer.shared.get().newURL()).viewContext
    context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.predicate = NSCompoundPredicate(
        orPredicateWithSubpredicates: (0..<65_536).map { NSPredicate(format: "pages > \($0)") })
      let error = #expect(throws: CocoaError.self) { _ = try context.count(for: request) }
      let cause = error?.userInfo[OpenStoreErrorKey] as? StoreError
      #expect(cause?.code == .unsupportedPredicate)
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
