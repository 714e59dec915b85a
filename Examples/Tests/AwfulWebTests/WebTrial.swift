import AwfulCore
import AwfulTerminal
import AwfulWeb
import ForumClient
import ForumHTML
import ForumSimulator
import Foundation
import Synchronization
import TerminalView
import Testing
import WebPages
import WebTestClient

/// The number of a reader's requests for new contents. Shared.
final class RefreshCount: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func add() { count.withLock { $0 += 1 } }
}

/// A store in a file, a server for its pages, and a simulated site.
final class WebTrial {
  let folder: URL
  let site: ForumSite
  let store: ForumStore
  let personal: PersonalStore
  let status = SyncStatus()
  let refreshes = RefreshCount()
  /// What reaches the site, for trials of a reader who is logged in.
  private(set) var connection: SiteConnection?
  let server: ForumServer
  private var pages: WebSite?
  private(set) var port = 0

  /// Runs a test, and then stops all servers.
  ///
  /// - Parameters:
  ///   - isLoggedIn: Whether the pages reach the site, as a reader who is logged in.
  ///   - size: The size of the site.
  ///   - body: The test.
  static func run(
    loggedIn isLoggedIn: Bool = false, size: SiteSize = .tiny,
    _ body: (WebTrial) async throws -> Void
  )
    async throws
  {
    let trial = try WebTrial(size)
    do {
      try await trial.start(loggedIn: isLoggedIn)
      try await body(trial)
    } catch {
      await trial.stop()
      throw error
    }
    await trial.stop()
  }

  private init(_ size: SiteSize) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("WebTrial-\(UUID().uuidString)")
    site = ForumSite(seed: 7, size: size)
    server = ForumServer(site: site)
    let file = folder.appendingPathComponent("awful.sqlite")
    store = try ForumStore.openOrMake(file)
    personal = try PersonalStore.openOrMake(beside: file)
  }

  private func start(loggedIn isLoggedIn: Bool) async throws {
    try await server.start()
    if isLoggedIn { connection = try await logIn() }
    let lists = LiveLists()
    let (refreshes, connection) = (refreshes, connection)
    let pages = WebSite(
      ForumPages(
        of: store, personal: personal, lists: lists, status: status,
        base: URL(string: "http://forum.test/"), site: connection
      ) { refreshes.add() },
      lists: lists, token: "t")
    self.pages = pages
    port = try #require(URL(string: try await pages.start())?.port)
  }

  private func logIn() async throws -> SiteConnection {
    let base = try #require(await server.baseURL)
    // The timeouts never end a request of a test, because a busy machine can be slow.
    let client = ForumClient(
      base: base, cookies: try CookieFile(nil), idleTimeout: .seconds(600),
      totalTimeout: .seconds(600), imageTimeout: .seconds(600))
    try await ForumLogIn.logIn(
      ForumSite.defaultUserName, password: ForumSite.password, client)
    let retry = PageRetryPolicy(attemptLimit: 1, firstPause: .zero, longestPause: .zero)
    return SiteConnection(store: store, personal: personal, client: client, retry: retry)
  }

  private func stop() async {
    await pages?.stop()
    await server.stop()
    // Nothing to do about a folder that stays.
    try? FileManager.default.removeItem(at: folder)
  }

  var cookie: [String: String] { ["Cookie": "site-token-\(port)=t"] }

  /// Brings a store up to date with the site; by default the one that is shown.
  func sync(into other: ForumStore? = nil) async throws {
    let base = try #require(await server.baseURL)
    let client = ForumClient(
      base: base, cookies: try CookieFile(nil), idleTimeout: .seconds(600),
      totalTimeout: .seconds(600))
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

  /// A form of a page.
  func form(_ path: String, _ selector: String) async throws -> HTMLElement {
    try #require(try await page(path).first(selector), "\(path)")
  }

  /// Sends a form as a browser without script does: with all its fields, and the button that is pressed.
  ///
  /// - Parameters:
  ///   - form: The form.
  ///   - button: The value of the button; empty for a form with one.
  ///   - typed: What the reader has changed in it.
  func submit(
    _ form: HTMLElement, _ button: String, _ typed: [String: String]
  ) async throws -> WebTestAnswer {
    var fields: [String: String] = [:]
    for input in try form.select("input") { fields[input["name"] ?? ""] = input["value"] ?? "" }
    for area in try form.select("textarea") { fields[area["name"] ?? ""] = area.text }
    if !button.isEmpty { fields["do"] = button }
    return try await post(form["action"] ?? "", fields.merging(typed) { $1 })
  }

  /// Sends fields as a form of the site's own pages.
  func post(_ path: String, _ fields: [String: String]) async throws -> WebTestAnswer {
    var allowed = CharacterSet.alphanumerics
    allowed.formIntersection(CharacterSet(charactersIn: "\u{21}"..."\u{7E}"))
    func encoded(_ text: String) -> String {
      // Browsers send line ends as carriage return and line feed.
      text.replacing("\n", with: "\r\n").addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }
    let body = fields.map { "\(encoded($0))=\(encoded($1))" }.joined(separator: "&")
    let origin = ["Origin": "http://127.0.0.1:\(port)"]
    return try await send(port, path, "POST", cookie.merging(origin) { $1 }, body: body)
  }

  /// The event stream of a page.
  func events(of page: HTMLDocument) throws -> WebTestStream {
    let path = try #require(page.body["data-events"])
    return try WebTestStream(port, path, cookie)
  }

  /// What a terminal shows of a place at first.
  func terminalRows(
    _ place: ReaderPlaces.Place, of places: ReaderPlaces? = nil
  ) async throws -> [TerminalRow] {
    let places = places ?? ReaderPlaces(store, personal: personal)
    let (shown, continuation) = AsyncStream.makeStream(of: [TerminalRow].self)
    let following = Task {
      defer { continuation.finish() }
      try await places.follow(place) { continuation.yield($0) }
    }
    defer { following.cancel() }
    for await rows in shown { return rows }
    _ = try await following.value
    return []
  }
}
