import Foundation
import OpenCoreData
import OpenPostgresStore
import PostgresTestServer
import Testing

/// Commits of other processes, which the tests record with SQL.
@Suite("Stacks notice commits of other processes", .enabled(if: TestServer.isPresent))
struct ListenerTests {
  /// Options of a URL with which a stack cannot rely on a connection of the pool, or on a notice.
  static let options = ["pool=1", "pooling=transaction", "listen=/there-is-no-such-folder"]

  @Test("with few connections, or without notices", .timeLimit(.minutes(5)), arguments: options)
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
}
