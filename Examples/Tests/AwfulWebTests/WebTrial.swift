import AwfulCore
import AwfulWeb
import ForumClient
import ForumHTML
import ForumSimulator
import Foundation
import Synchronization
import Testing
import WebPages
import WebTestClient

/// How often a reader has asked for what is new. Shared.
final class RefreshCount: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func add() { count.withLock { $0 += 1 } }
}

/// A store in a file, its pages behind a port, and a made-up site.
final class WebTrial {
  let folder: URL
  let site: ForumSite
  let store: ForumStore
  let status = SyncStatus()
  let refreshes: RefreshCount
  private let server: ForumServer
  private let pages: WebSite
  private(set) var port = 0

  /// Runs a test, and ends everything behind it.
  static func run(_ body: (WebTrial) async throws -> Void) async throws {
    let trial = try WebTrial()
    do {
      try await trial.start()
      try await body(trial)
    } catch {
      await trial.stop()
      throw error
    }
    await trial.stop()
  }

  private init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("WebTrial-\(UUID().uuidString)")
    site = ForumSite(seed: 7, size: .tiny)
    server = ForumServer(site: site)
    store = try ForumStore.openOrMake(folder.appendingPathComponent("awful.sqlite"))
    let lists = LiveLists()
    let base = URL(string: "http://forum.test/")
    let count = RefreshCount()
    refreshes = count
    pages = WebSite(
      ForumPages(of: store, lists: lists, status: status, base: base) { count.add() },
      lists: lists, token: "t")
  }

  private func start() async throws {
    try await server.start()
    port = try #require(URL(string: try await pages.start())?.port)
  }

  private func stop() async {
    await pages.stop()
    await server.stop()
    // Nothing to do about a folder that stays.
    try? FileManager.default.removeItem(at: folder)
  }

  var cookie: [String: String] { ["Cookie": "site-token-\(port)=t"] }

  /// Brings a store up to date with the site; by default the one that is shown.
  func sync(into other: ForumStore? = nil) async throws {
    let base = try #require(await server.baseURL)
    let client = ForumClient(base: base, cookies: try CookieFile(nil))
    _ = try await ForumSync(store: other ?? store, client: client).run()
  }

  /// Opens the store as another program does.
  func openElsewhere() throws -> ForumStore {
    try ForumStore.openExisting(folder.appendingPathComponent("awful.sqlite"))
  }

  /// A page, as a tree.
  func page(_ path: String) async throws -> HTMLDocument {
    let answer = try await send(port, path, "GET", cookie)
    #expect(answer.status == 200, "\(path)")
    return try HTMLParser.parse(answer.text)
  }

  /// The event stream of a page.
  func events(of page: HTMLDocument) throws -> WebTestStream {
    let path = try #require(page.body["data-events"])
    return try WebTestStream(port, path, cookie)
  }
}
