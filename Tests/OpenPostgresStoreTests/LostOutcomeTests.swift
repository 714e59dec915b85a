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

  /// Saves two books, and cuts the connection before the answer to the second save arrives.
  ///
  /// - Parameters:
  ///   - count: The number of connections that the proxy then refuses.
  ///   - action: A closure that is called before the store ends the lost session.
  /// - Returns: The error of the second save, and the context.
  private func saveTwice(
    refusing count: Int = 0, _ action: @escaping @Sendable () throws -> Void = {}
  ) throws -> (StoreError?, NSManagedObjectContext) {
    let isOver = Atomic<Bool>(false)
    let url = try server.url(schema: schema, host: proxy.folder)
    let container = try Library.container(url) { description in
      // The proxy must not cut the connection of a listener.
      description.setOption(
        NSNumber(value: false), forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
      description.timeout = 2
      description.setOption(
        StatementObserver { text in
          guard text.contains("pg_terminate_backend"),
            !isOver.exchange(true, ordering: .sequentiallyConsistent)
          else { return }
          do { try action() } catch { Issue.record(error) }
        }, forKey: OpenStatementObserverOption)
    }
    let context = container.newBackgroundContext()
    let error: StoreError? = try context.performAndWait {
      // The first save also reserves the keys of the second save.
      try save("first", in: context)
      proxy.refuse(count)
      proxy.cut(after: 0, .toClient)
      do { try save("second", in: context) } catch {
        return (error as NSError).userInfo[OpenStoreErrorKey] as? StoreError
      }
      return nil
    }
    #expect(proxy.finish())
    return (error, context)
  }

  private func save(_ title: String, in context: NSManagedObjectContext) throws {
    NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      .setValue(title, forKey: "title")
    try context.save()
  }

  @Test("a save waits for a server that cannot be reached for a moment")
  func unreachableServer() throws {
    defer { proxy.close() }
    let (error, context) = try saveTwice(refusing: 3)
    #expect(error == nil)
    try context.performAndWait {
      let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
      #expect(count == 2)
    }
  }

  @Test("it is unknown if the part of the history that may contain the commit is deleted")
  func deletedHistory() throws {
    defer { proxy.close() }
    let (error, _) = try saveTwice { [server, schema] in
      try server.execute(
        """
        UPDATE \(schema).z_store SET z_purged = 2;
        DELETE FROM \(schema).achange;
        DELETE FROM \(schema).atransaction
        """)
    }
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
      try save("first", in: context)
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
