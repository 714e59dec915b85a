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
  let personal: PersonalStore
  private let pauseBook = Mutex<[Duration]>([])
  private let progressBook = Mutex<[SyncProgress]>([])

  /// Called after each step of a sync.
  private let hook = Mutex<(@Sendable (SyncProgress) -> Void)?>(nil)

  init(
    idleTimeout: Duration = .seconds(600), size: SiteSize = TestSite.size,
    store: ForumStore? = nil
  ) async throws {
    site = TestSite(size: size).site
    server = ForumServer(site: site, options: ForumServerOptions())
    try await server.start()
    let address = try #require(await server.baseURL)
    client = ForumClient(
      base: address, cookies: try CookieFile(nil), idleTimeout: idleTimeout,
      totalTimeout: idleTimeout * 4, imageTimeout: idleTimeout)
    self.store = try store ?? ForumStore(.inMemory)
    personal = try PersonalStore(.inMemory)
  }

  var pauses: [Duration] { pauseBook.withLock { $0 } }
  var progress: [SyncProgress] { progressBook.withLock { $0 } }

  func logIn() async throws {
    try await ForumLogIn.logIn(
      ForumSite.defaultUserName, password: ForumSite.password, client)
  }

  /// A client of the same site that is not logged in.
  func guest() async throws -> ForumClient {
    ForumClient(
      base: try #require(await server.baseURL), cookies: try CookieFile(nil),
      idleTimeout: .seconds(600), totalTimeout: .seconds(600))
  }

  /// Sets the events on the site during a sync.
  func meanwhile(_ work: (@Sendable (SyncProgress) -> Void)?) { hook.withLock { $0 = work } }

  /// Runs a test with a running site, and stops it.
  static func run(store: ForumStore? = nil, _ body: (SyncTrial) async throws -> Void) async throws {
    let trial = try await SyncTrial(store: store)
    do {
      try await body(trial)
    } catch {
      await trial.server.stop()
      throw error
    }
    await trial.server.stop()
  }

  /// Syncs at an instant, given in seconds after the fixed one that the clock shows.
  @discardableResult
  func sync(
    retry: PageRetryPolicy = .standard, spacing: RefreshSpacing = .none, later seconds: Double = 0,
    client other: ForumClient? = nil
  ) async throws -> SyncReport {
    let clock = SyncClock(
      now: { Date(timeIntervalSince1970: 1_700_000_000 + seconds) },
      sleep: { [self] pause in pauseBook.withLock { $0.append(pause) } })
    return try await ForumSync(
      store: store, client: other ?? client, retry: retry, clock: clock, spacing: spacing,
      progress: { [self] step in
        progressBook.withLock { $0.append(step) }
        hook.withLock { $0 }?(step)
      }
    ).run()
  }

  /// Returns a reader's connection to the site, which requests each page once.
  ///
  /// - Parameters:
  ///   - other: The store of the pages; nil uses the trial's store.
  ///   - client: The client that sends requests to the site; nil uses the trial's client.
  ///   - now: The clock.
  func connection(
    store other: ForumStore? = nil, client: ForumClient? = nil,
    now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: 1_700_000_000) }
  ) -> SiteConnection {
    SiteConnection(
      store: other ?? store, personal: personal, client: client ?? self.client,
      retry: PageRetryPolicy(attemptLimit: 1, firstPause: .zero, longestPause: .zero),
      clock: SyncClock(now: now, sleep: { _ in }))
  }

  /// Runs a sync during which a mark is sent.
  ///
  /// The site rejects the first request for a list of threads. During the pause after it, the mark is set and sent, and the site then loses
  /// the mark. The rest of the sync therefore reads an older mark, as in pages that were requested earlier.
  ///
  /// - Parameters:
  ///   - seen: The number of seen posts.
  ///   - id: The thread's id.
  ///   - sender: The actions that send the mark; nil uses those of the connection that syncs.
  func sync(
    sendingMark seen: Int, ofThread id: String, by sender: SiteActions? = nil
  ) async throws {
    let client = client
    let reader = Mutex<SiteActions?>(sender)
    let clock = SyncClock(now: { Date(timeIntervalSince1970: 1_700_000_000) }) { _ in
      guard let actions = reader.withLock({ $0 }) else { return }
      try await actions.setSeen(id, count: seen)
      try await actions.sendMarks()
      // The expectations after the sync fail if the request does.
      _ = try? await client.page(
        "showthread.php", query: [("action", "resetseen"), ("threadid", id)])
    }
    let connection = SiteConnection(
      store: store, personal: personal, client: client,
      retry: PageRetryPolicy(attemptLimit: 2, firstPause: .zero, longestPause: .seconds(60)),
      clock: clock)
    if sender == nil { reader.withLock { $0 = connection.actions } }
    server.addFault(Fault(.status, path: "forumdisplay.php", times: 1, amount: 503))
    _ = try await connection.sync()
  }

  /// Checks that every stored page of posts is complete.
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
