import Foundation
import OpenCoreData
import OpenPostgresStore
import OpenStoreContract
import PostgresTestServer
import Testing

/// Commits of other processes, which the tests record with SQL.
@Suite("Stacks notice commits of other processes", .enabled(if: TestServer.isPresent))
struct ListenerTests {
  /// Options of a URL with which a stack cannot rely on a connection of the pool, or on a notice.
  static let options = ["pool=1", "pooling=transaction", "listen=/there-is-no-such-folder"]

  @Test("with few connections, or without notices", .timeLimit(.minutes(30)), arguments: options)
  func commits(_ option: String) async throws {
    let server = try TestServer.shared.get()
    let name = option.prefix { $0.isLetter }
    let schema = "listener_\(name)"
    let url = try #require(URL(string: "\(try server.url(schema: schema))&\(option)"))
    let following = try Library.container(url)
    let (news, told) = AsyncStream.makeStream(of: Void.self)
    let token = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: following.persistentStoreCoordinator,
      queue: nil
    ) { _ in told.yield() }
    defer { NotificationCenter.default.removeObserver(token) }
    var iterator = news.makeAsyncIterator()
    try server.execute(
      "INSERT INTO \(schema).atransaction (z_pk, zprocess, ztimestamp) VALUES (1, gen_random_uuid(), 0)"
    )
    let isNoticed = await iterator.next() != nil
    #expect(isNoticed)
  }

  @Test(
    "a store reports only commits of other processes, and only to the handler that was set last",
    .timeLimit(.minutes(30)))
  func handlers() async throws {
    let server = try TestServer.shared.get()
    let schema = "listener_handlers"
    let url = try server.url(schema: schema)
    let store = try Library.store(url)
    defer { store.close() }
    let (numbers, reported) = AsyncStream.makeStream(of: Int64.self)
    _ = try store.watchChanges { reported.yield(-$0) }
    let isWatched = try store.watchChanges { reported.yield($0) }
    #expect(isWatched)
    let context = try Library.container(url).newBackgroundContext()
    try await context.perform {
      _ = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      try context.save()
    }
    try server.recordTransaction(2, in: schema)
    var iterator = numbers.makeAsyncIterator()
    let number = await iterator.next()
    #expect(number == 2)
  }

  @Test("a closed store does not wait for commits")
  func closedStore() throws {
    let store = try Library.store(TestServer.shared.get().url(schema: "listener_closed"))
    store.close()
    let error = #expect(throws: StoreError.self) { _ = try store.watchChanges { _ in } }
    #expect(error?.code == .closed)
  }

  @Test(
    "a store whose server is unreachable when it begins to wait for commits reports later commits",
    .timeLimit(.minutes(30)))
  func unreachableServer() async throws {
    let server = try TestServer.shared.get()
    let proxy = try CuttingProxy(server: server.socketFolder)
    defer { proxy.close() }
    let schema = "listener_unreachable"
    let store = try Library.store(server.url(schema: schema, host: proxy.folder))
    defer { store.close() }
    let (numbers, reported) = AsyncStream.makeStream(of: Int64.self)
    // Neither the open connection nor the next ones can be used.
    proxy.cut(after: 0, .toServer)
    proxy.refuse(3)
    let isWatched = try store.watchChanges { reported.yield($0) }
    #expect(isWatched)
    try server.recordTransaction(1, in: schema)
    var iterator = numbers.makeAsyncIterator()
    let number = await iterator.next()
    #expect(number == 1)
  }
}
