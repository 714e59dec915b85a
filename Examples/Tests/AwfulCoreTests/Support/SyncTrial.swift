import AwfulCore
import CoreData
import ForumClient
import ForumSimulator
import Foundation
import OpenPersistenceKit
import Synchronization
import Testing

/// A running site, a store, and a clock that notes the pauses instead of waiting.
final class SyncTrial: Sendable {
  let site: ForumSite
  let server: ForumServer
  let client: ForumClient
  let store: ForumStore
  private let pauseBook = Mutex<[Duration]>([])
  private let progressBook = Mutex<[SyncProgress]>([])

  /// Called after each step of a sync.
  private let hook = Mutex<(@Sendable (SyncProgress) -> Void)?>(nil)

  init(idleTimeout: Duration, size: SiteSize = TestSite.size) async throws {
    site = TestSite(size: size).site
    server = ForumServer(site: site, options: ForumServerOptions())
    try await server.start()
    let address = try #require(await server.baseURL)
    client = ForumClient(
      base: address, cookies: try CookieFile(nil), idleTimeout: idleTimeout,
      totalTimeout: idleTimeout * 4)
    store = try ForumStore(.inMemory)
  }

  var pauses: [Duration] { pauseBook.withLock { $0 } }
  var progress: [SyncProgress] { progressBook.withLock { $0 } }

  func logIn() async throws {
    try await ForumLogIn.logIn(
      ForumSite.defaultUserName, password: ForumSite.password, client)
  }

  /// Sets what happens on the site while a sync runs.
  func meanwhile(_ work: (@Sendable (SyncProgress) -> Void)?) { hook.withLock { $0 = work } }

  func sync(retry: PageRetryPolicy = .standard) async throws -> SyncReport {
    let clock = SyncClock(
      now: { Date(timeIntervalSince1970: 1_700_000_000) },
      sleep: { [self] pause in pauseBook.withLock { $0.append(pause) } })
    return try await ForumSync(
      store: store, client: client, retry: retry, clock: clock,
      progress: { [self] step in
        progressBook.withLock { $0.append(step) }
        hook.withLock { $0 }?(step)
      }
    ).run()
  }

  /// Checks that every stored page of posts is whole.
  func expectWholePages(count: Int) throws {
    let truth = Dictionary(uniqueKeysWithValues: site.truth().threads.map { ($0.id, $0) })
    var stored = 0
    for thread in try StoredSite(store).threads where !thread.posts.isEmpty {
      let pages = Dictionary(grouping: thread.posts) { ($0.index - 1) / 40 }
      for (page, posts) in pages {
        let wanted = try #require(truth[thread.id]).posts.dropFirst(page * 40).prefix(40)
        #expect(posts.map(\.id) == wanted.map(\.id))
      }
      stored += pages.count
    }
    #expect(stored == count)
  }
}
