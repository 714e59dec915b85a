import Dispatch
import Foundation
import OpenCoreData
import OpenPostgresStore
import OpenStoreContract
import PostgresTestServer
import Synchronization
import Testing

/// Reads of the history while another program deletes its beginning.
@Suite("A history is deleted while it is read", .enabled(if: TestServer.isPresent))
struct HistoryPurgeTests {
  /// Returns a context whose store contains three transactions, and the token of the first one.
  /// Before the store executes a statement with a given part for the first time, another program
  /// deletes the first two transactions.
  private func filledContext(
    _ schema: String, purgedBefore part: String
  ) throws -> (NSManagedObjectContext, first: NSPersistentHistoryToken) {
    let server = try TestServer.shared.get()
    let isPurged = Atomic<Bool>(false)
    let container = try Library.container(try server.url(schema: schema)) { description in
      description.setOption(
        StatementObserver { text in
          guard text.contains(part), !isPurged.exchange(true, ordering: .sequentiallyConsistent)
          else { return }
          do {
            try server.execute(
              """
              UPDATE \(schema).z_store SET z_purged = 2;
              DELETE FROM \(schema).achange WHERE ztransactionid < 3;
              DELETE FROM \(schema).atransaction WHERE z_pk < 3
              """)
          } catch {
            Issue.record(error)
          }
        }, forKey: OpenStatementObserverOption)
    }
    let context = container.newBackgroundContext()
    let first: NSPersistentHistoryToken? = try context.performAndWait {
      try save("1", in: context)
      let token = container.persistentStoreCoordinator
        .currentPersistentHistoryToken(fromStores: nil)
      try save("2", in: context)
      try save("3", in: context)
      return token
    }
    let token = try #require(first)
    return (context, token)
  }

  private func save(_ title: String, in context: NSManagedObjectContext) throws {
    NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      .setValue(title, forKey: "title")
    try context.save()
  }

  @Test("every transaction of the result has its changes")
  func changes() throws {
    let (context, _) = try filledContext(
      "purge_changes", purgedBefore: "WHERE ztransactionid BETWEEN")
    try context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?)
      func counts() throws -> [Int64: Int] {
        let result = try context.execute(request) as? NSPersistentHistoryResult
        let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
        return Dictionary(
          uniqueKeysWithValues: transactions.map {
            ($0.transactionNumber, $0.changes?.count ?? 0)
          })
      }
      let during = try counts()
      #expect(during == [1: 1, 2: 1, 3: 1])
      let afterwards = try counts()
      #expect(afterwards == [3: 1])
    }
  }

  @Test("a long history is deleted in several transactions (D-427)")
  func portions() throws {
    let url = try TestServer.shared.get().url(schema: "purge_portions")
    let context = try Library.container(url).newBackgroundContext()
    try context.performAndWait {
      for _ in 0..<3 {
        let books = Array(repeating: ["title": "A"] as [String: Any], count: 6_000)
        try context.execute(NSBatchInsertRequest(entityName: "Book", objects: books))
      }
    }
    let portionCount = try portionCount(in: url, deleting: 3)
    #expect(portionCount == 3)
  }

  @Test("if a later part of a long history cannot be deleted, the earlier part is deleted (D-427)")
  func failedPortion() throws {
    let server = try TestServer.shared.get()
    let schema = "purge_failure"
    let url = try server.url(schema: schema)
    _ = try Library.container(url)
    try server.execute(
      """
      INSERT INTO \(schema).atransaction (z_pk, ztimestamp) \
      SELECT n, n FROM generate_series(1, 25000) AS n;
      CREATE FUNCTION \(schema).refuse() RETURNS trigger LANGUAGE plpgsql AS \
      $$ BEGIN RAISE 'refused'; END $$;
      CREATE TRIGGER refuse BEFORE DELETE ON \(schema).atransaction FOR EACH ROW \
      WHEN (OLD.z_pk = 15000) EXECUTE FUNCTION \(schema).refuse()
      """)
    let store = try Library.store(url)
    defer { store.close() }
    let history = try #require(store.history)
    #expect(throws: StoreError.self) { try history.delete(before: .transaction(25_001)) }
    let bounds = try history.bounds()
    #expect(bounds.first == 10_001)
    #expect(bounds.last == 25_000)
  }

  @Test("a long history of transactions without changes is deleted in several transactions")
  func portionsWithoutChanges() throws {
    let server = try TestServer.shared.get()
    let schema = "purge_empty"
    let url = try server.url(schema: schema)
    _ = try Library.container(url)
    try server.execute(
      """
      INSERT INTO \(schema).atransaction (z_pk, ztimestamp) \
      SELECT n, n FROM generate_series(1, 25000) AS n
      """)
    let portionCount = try portionCount(in: url, deleting: 25_000)
    #expect(portionCount == 3)
  }

  /// Deletes a history with a given number of transactions, and returns the number of transactions
  /// of the database that delete it.
  private func portionCount(in url: URL, deleting count: Int) throws -> Int {
    let portionCount = Atomic<Int>(0)
    var configuration = StoreConfiguration(url: url)
    configuration.tracksHistory = true
    configuration.statementObserver = { text in
      if text.contains("SET z_purged") {
        _ = portionCount.add(1, ordering: .sequentiallyConsistent)
      }
    }
    let store = try PostgresStore.open(configuration, model: Library.model.compiled())
    defer { store.close() }
    let history = try #require(store.history)
    let deletedCount = try history.delete(before: .transaction(Int64(count) + 1))
    #expect(deletedCount == count)
    let bounds = try history.bounds()
    #expect(bounds.first == nil)
    #expect(bounds.last == Int64(count))
    return portionCount.load(ordering: .sequentiallyConsistent)
  }

  @Test(
    "a number is not reused if its transaction is committed while a deletion waits for it",
    .timeLimit(.minutes(30)))
  func commitBeforeDeletion() throws {
    let server = try TestServer.shared.get()
    let schema = "purge_race"
    let url = try server.url(schema: schema)
    let context = try Library.container(url).newBackgroundContext()
    try context.performAndWait { try save("1", in: context) }
    let isDeleting = Atomic<Bool>(false)
    let isCommitted = DispatchSemaphore(value: 0)
    @Sendable func execute(_ statements: String) {
      do { try server.execute("DO $$ BEGIN \(statements) END $$") } catch { Issue.record(error) }
    }
    var configuration = StoreConfiguration(url: url)
    configuration.tracksHistory = true
    configuration.statementObserver = { text in
      guard text.hasSuffix("ROW SHARE MODE"),
        isDeleting.exchange(false, ordering: .sequentiallyConsistent)
      else { return }
      DispatchQueue.global().async {
        // The other program commits when the deletion waits for it.
        execute(
          """
          PERFORM FROM \(schema).z_store FOR NO KEY UPDATE;
          INSERT INTO \(schema).atransaction (z_pk, ztimestamp) VALUES (2, 0);
          WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted \
            AND transactionid = pg_current_xact_id()::xid) LOOP
          END LOOP;
          """)
        isCommitted.signal()
      }
      execute(
        """
        WHILE NOT EXISTS (SELECT FROM pg_locks WHERE granted AND mode = 'RowExclusiveLock' \
          AND relation = '\(schema).atransaction'::regclass) LOOP
        END LOOP;
        """)
    }
    let store = try PostgresStore.open(configuration, model: Library.model.compiled())
    defer { store.close() }
    let history = try #require(store.history)
    isDeleting.store(true, ordering: .sequentiallyConsistent)
    let deletedCount = try history.delete(before: .transaction(10))
    isCommitted.wait()
    #expect(deletedCount == 2)
    let last = try history.bounds().last
    #expect(last == 2)
  }

  @Test("a token is expired if transactions after it are deleted before they are read")
  func token() throws {
    let (context, first) = try filledContext("purge_token", purgedBefore: "zprocessid FROM")
    context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: first)
      let error = #expect(throws: CocoaError.self) { try context.execute(request) }
      #expect(error?.code.rawValue == NSPersistentHistoryTokenExpiredError)
    }
  }
}
