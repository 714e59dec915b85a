import Foundation
import OpenCoreData
import OpenPostgresStore
import OpenStoreContract
import PostgresTestServer
import Synchronization
import Testing

/// Commits whose answer is lost, and obstacles to finding out whether they took effect.
@Suite("The outcome of a lost commit", .enabled(if: TestServer.isPresent), .serialized)
struct LostOutcomeTests {
  private let proxy: CuttingProxy
  private let server: TestServer
  private let schema = "outcome_\(UUID().uuidString.prefix(8))".lowercased()

  init() throws {
    server = try TestServer.shared.get()
    proxy = try CuttingProxy(server: server.socketFolder)
  }

  /// The changes of the second save.
  private enum SecondSave {
    /// Two more books.
    case insertion
    /// Another title of the first book.
    case update
    /// A batch deletion of all books.
    case batchDeletion
  }

  /// Saves a book, and cuts the connection during the commit of a second save.
  ///
  /// - Parameters:
  ///   - second: The changes of the second save.
  ///   - direction: The direction of the bytes that are lost: the commit or its response.
  ///   - count: The number of connections that the proxy then refuses.
  ///   - action: A closure that is called before the store ends the lost session.
  /// - Returns: The error of the second save, and the context.
  private func saveTwice(
    _ second: SecondSave = .insertion, cutting direction: CuttingProxy.Direction = .toClient,
    refusing count: Int = 0, tracksHistory: Bool = true,
    _ action: @escaping @Sendable () throws -> Void = {}
  ) throws -> (StoreError?, NSManagedObjectContext) {
    let isArmed = Atomic<Bool>(false)
    let isOver = Atomic<Bool>(false)
    let url = try server.url(schema: schema, host: proxy.folder)
    let container = try Library.container(url, tracksHistory: tracksHistory) { description in
      // The proxy must not cut the connection of a listener.
      description.setOption(
        NSNumber(value: false), forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
      description.timeout = 2
      description.setOption(
        StatementObserver { [proxy] text in
          if text == "COMMIT", isArmed.exchange(false, ordering: .sequentiallyConsistent) {
            proxy.cut(after: 0, direction)
          }
          guard text.contains("pg_terminate_backend"),
            !isOver.exchange(true, ordering: .sequentiallyConsistent)
          else { return }
          do { try action() } catch { Issue.record(error) }
        }, forKey: OpenStatementObserverOption)
    }
    let context = container.newBackgroundContext()
    let error: StoreError? = try context.performAndWait {
      // The first save also reserves the keys of the second save.
      let book = insert("first", into: context)
      try context.save()
      switch second {
      case .insertion: for title in ["second", "third"] { _ = insert(title, into: context) }
      case .update: book.setValue("second", forKey: "title")
      case .batchDeletion: break
      }
      proxy.refuse(count)
      isArmed.store(true, ordering: .sequentiallyConsistent)
      do {
        guard second == .batchDeletion else {
          try context.save()
          return nil
        }
        let books = NSFetchRequest<NSManagedObject>(entityName: "Book")
        try context.execute(NSBatchDeleteRequest(fetchRequest: books))
      } catch {
        return (error as NSError).userInfo[OpenStoreErrorKey] as? StoreError
      }
      return nil
    }
    #expect(proxy.finish())
    return (error, context)
  }

  private func insert(_ title: String, into context: NSManagedObjectContext) -> NSManagedObject {
    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
    book.setValue(title, forKey: "title")
    return book
  }

  /// Returns the titles in the store, sorted.
  private func titles(_ context: NSManagedObjectContext) throws -> [String] {
    try context.performAndWait {
      context.reset()
      return try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
        .compactMap { $0.value(forKey: "title") as? String }.sorted()
    }
  }

  /// Deletes the history of the store, and executes further statements.
  private static func deleteHistory(
    _ schema: String, on server: TestServer, _ further: String = ""
  ) throws {
    try server.execute(
      """
      UPDATE \(schema).z_store SET z_purged = 2;
      DELETE FROM \(schema).achange;
      DELETE FROM \(schema).atransaction;
      \(further)
      """)
  }

  @Test("a save waits for a server that cannot be reached for a moment")
  func unreachableServer() throws {
    defer { proxy.close() }
    let (error, context) = try saveTwice(refusing: 3)
    #expect(error == nil)
    let stored = try titles(context)
    #expect(stored == ["first", "second", "third"])
  }

  @Test("it is known from an inserted row if the history was deleted after the commit")
  func deletedHistory() throws {
    defer { proxy.close() }
    let (error, context) = try saveTwice { [server, schema] in
      try Self.deleteHistory(schema, on: server)
    }
    #expect(error == nil)
    let stored = try titles(context)
    #expect(stored == ["first", "second", "third"])
  }

  @Test("it is unknown if the history and the inserted rows are deleted")
  func deletedRows() throws {
    defer { proxy.close() }
    let (error, _) = try saveTwice { [server, schema] in
      try Self.deleteHistory(schema, on: server, "DELETE FROM \(schema).zbook")
    }
    #expect(error?.code == .outcomeUnknown)
  }

  @Test(
    "a save in one round trip that was not committed is repeated, although the history was deleted")
  func deletedHistoryWithoutCommit() throws {
    defer { proxy.close() }
    let (error, context) = try saveTwice(.update, cutting: .toServer) { [server, schema] in
      try Self.deleteHistory(schema, on: server)
    }
    #expect(error == nil)
    let stored = try titles(context)
    #expect(stored == ["second"])
  }

  @Test("without history, it is known from any inserted row")
  func deletedFirstRow() throws {
    defer { proxy.close() }
    let (error, context) = try saveTwice(tracksHistory: false) { [server, schema] in
      try server.execute("DELETE FROM \(schema).zbook WHERE ztitle = 'second'")
    }
    #expect(error == nil)
    let stored = try titles(context)
    #expect(stored == ["first", "third"])
  }

  @Test("without history, an update that was not committed is repeated")
  func updateWithoutHistory() throws {
    defer { proxy.close() }
    let (error, context) = try saveTwice(.update, cutting: .toServer, tracksHistory: false)
    #expect(error == nil)
    let stored = try titles(context)
    #expect(stored == ["second"])
  }

  @Test("without history, a batch deletion that was not committed is repeated")
  func batchDeletionWithoutHistory() throws {
    defer { proxy.close() }
    let (error, context) = try saveTwice(
      .batchDeletion, cutting: .toServer, tracksHistory: false)
    #expect(error == nil)
    let stored = try titles(context)
    #expect(stored.isEmpty)
  }

  @Test("without history, it is unknown if a changed row has another version")
  func committedUpdateWithoutHistory() throws {
    defer { proxy.close() }
    let (error, _) = try saveTwice(.update, tracksHistory: false)
    #expect(error?.code == .outcomeUnknown)
  }

  @Test("a save is repeated if history was deleted before its transaction began")
  func earlierDeletion() throws {
    defer { proxy.close() }
    let isArmed = Atomic<Bool>(false)
    let url = try server.url(schema: schema, host: proxy.folder)
    let container = try Library.container(url) { description in
      // The proxy must not cut the connection of a listener.
      description.setOption(
        NSNumber(value: false), forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
      description.setOption(
        StatementObserver { [proxy] text in
          guard text == "COMMIT", isArmed.exchange(false, ordering: .sequentiallyConsistent)
          else { return }
          proxy.cut(after: 0, .toServer)
        }, forKey: OpenStatementObserverOption)
    }
    let context = container.newBackgroundContext()
    try context.performAndWait {
      _ = insert("first", into: context)
      try context.save()
      try server.execute("UPDATE \(schema).z_store SET z_purged = 5")
      isArmed.store(true, ordering: .sequentiallyConsistent)
      // The order of the books makes the save a transaction of several round trips.
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      for _ in 0..<2 {
        NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
          .setValue(author, forKey: "author")
      }
      try context.save()
      let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
      #expect(count == 3)
    }
    #expect(proxy.finish())
  }

  @Test("the store checks changed rows in the order in which saves lock them")
  func lockOrder() throws {
    defer { proxy.close() }
    let isArmed = Atomic<Bool>(false)
    let locks = Mutex<[String]>([])
    let url = try server.url(schema: schema, host: proxy.folder)
    let container = try Library.container(url, tracksHistory: false) { description in
      description.setOption(
        StatementObserver { [proxy] text in
          if text == "COMMIT", isArmed.exchange(false, ordering: .sequentiallyConsistent) {
            proxy.cut(after: 0, .toServer)
          }
          if text.contains("FOR UPDATE") || text.contains("FOR NO KEY UPDATE") {
            locks.withLock { $0.append(text) }
          }
        }, forKey: OpenStatementObserverOption)
    }
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      let book = insert("first", into: context)
      try context.save()
      locks.withLock { $0 = [] }
      author.setValue("A", forKey: "name")
      context.delete(book)
      isArmed.store(true, ordering: .sequentiallyConsistent)
      try context.save()
    }
    #expect(proxy.finish())
    // The save, the check of its outcome, and the repeated save.
    let texts = locks.withLock { $0 }
    let tables = texts.map { $0.contains("zbook") ? "zbook" : "zauthor" }
    #expect(tables == ["zbook", "zauthor", "zbook", "zauthor", "zbook", "zauthor"])
  }

  @Test("it is unknown if another program locks the store for longer than the timeout")
  func lockedStore() throws {
    defer { proxy.close() }
    let (error, _) = try saveTwice { [server, schema] in
      let lock = "BEGIN; LOCK TABLE \(schema).z_store IN"
      Thread.detachNewThread {
        // The test ends this session.
        _ = try? server.execute(
          "SET application_name = '\(schema)'; \(lock) EXCLUSIVE MODE; SELECT pg_sleep(30)")
      }
      while (try? server.execute("\(lock) ROW SHARE MODE NOWAIT; COMMIT")) != nil {}
    }
    #expect(error?.code == .outcomeUnknown)
    try server.execute(
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = '\(schema)'"
    )
  }
}
