import AwfulCore
import ForumClient
import ForumSimulator
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The addresses that a client requests, and the pauses that a site requests.
@Suite("Forum client")
struct ForumClientTests {
  /// A client whose timeouts never end a request, because a busy machine can be slow.
  private static func client(of base: URL) throws -> ForumClient {
    ForumClient(
      base: base, cookies: try CookieFile(nil), idleTimeout: .seconds(600),
      totalTimeout: .seconds(600), imageTimeout: .seconds(600))
  }

  @Test(
    "requests stay on the base's host",
    arguments: [
      "http://two.test/newreply.php", "//two.test/a", "http://one.test:81/a", "ftp://one.test/a",
    ])
  func foreignAddress(path: String) async throws {
    let base = try #require(URL(string: "http://one.test/"))
    let client = ForumClient(base: base, cookies: try CookieFile(nil))
    let error = await #expect(throws: ClientError.self) {
      try await client.send(path, body: FormBody(urlEncoding: [("message", "text")]))
    }
    #expect(error?.code == .foreignAddress)
  }

  @Test(
    "images are requested only from the base's host and from the image hosts",
    arguments: [
      ("a.png", "https://one.test/forum/a.png"), ("/a.png", "https://one.test/a.png"),
      ("//img.test/a.png", "https://img.test/a.png"), ("http://img.test/a", "http://img.test/a"),
      ("http://one.test/a", nil), ("https://one.test:81/a", nil), ("//other.test/a", nil),
      ("https://img.test.other.test/a", nil), ("javascript:a", nil), ("file:///a.png", nil),
    ])
  func imageHosts(address: String, url: String?) async throws {
    let client = ForumClient(
      base: try #require(URL(string: "https://one.test/forum")), cookies: try CookieFile(nil),
      imageHosts: [try #require(URL(string: "http://img.test/"))])
    #expect(client.imageAddress(address)?.absoluteString == url)
    guard url == nil else { return }
    let error = await #expect(throws: ClientError.self) { try await client.image(address) }
    #expect(error?.code == .foreignAddress)
  }

  @Test("an image is requested without cookies, and redirects to other hosts are not followed")
  func image() async throws {
    let site = ForumSite(seed: 7)
    let server = ForumServer(site: site, options: ForumServerOptions())
    try await server.start()
    let base = try #require(await server.baseURL)
    let client = try Self.client(of: base)
    try await ForumLogIn.logIn(
      ForumSite.defaultUserName, password: ForumSite.password, client)
    let path = try #require(
      site.truth().users.map { "images/avatars/\($0.id).png" }.first {
        site.page(path: $0).header("Content-Type") == "image/png"
      })
    server.resetCounters()
    #expect(try await Data(client.image(path)) == site.page(path: path).body)
    #expect(server.counters.requestsByUser == ["": 1])
    server.addFault(Fault(.otherHost, path: path))
    let error = await #expect(throws: ClientError.self) { try await client.image(path) }
    #expect(error?.code == .foreignRedirect)
    let other = ForumClient(
      base: try #require(URL(string: "http://one.test/")), cookies: try CookieFile(nil),
      imageHosts: [base], imageTimeout: .seconds(600))
    server.clearFaults()
    let address = base.appendingPathComponent(path).absoluteString
    #expect(try await Data(other.image(address)) == site.page(path: path).body)
    await server.stop()
  }

  @Test(
    "a base with a path is a folder, with or without a slash at its end",
    arguments: ["http://one.test/forum", "http://one.test/forum/"])
  func folder(base: String) throws {
    let client = ForumClient(base: try #require(URL(string: base)), cookies: try CookieFile(nil))
    let page = URL(string: "index.php", relativeTo: client.base)?.absoluteString
    #expect(page == "http://one.test/forum/index.php")
    #expect(client.path(of: "index.php") == "/forum/index.php")
  }

  @Test(
    "Retry-After contains seconds or a date of the site's clock",
    arguments: [
      ("120", 120), (" 7 ", 7), ("-3", 0), ("Tue, 14 Nov 2023 22:15:20 GMT", 120),
      ("Tuesday, 14-Nov-23 22:15:20 GMT", 120), ("Tue Nov 14 22:15:20 2023", 120),
      ("Tue, 14 Nov 2023 22:00:00 GMT", 0), ("soon", nil), ("", nil), (nil, nil),
    ])
  func retryAfter(header: String?, seconds: Int?) {
    let answeredAt = "Tue, 14 Nov 2023 22:13:20 GMT"
    #expect(RetryAfter.seconds(header, answeredAt: answeredAt) == seconds)
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    #expect(RetryAfter.seconds(header, answeredAt: nil, now: now) == seconds)
  }

  @Test("a form that the site answers with an invalid redirect may have arrived")
  func invalidRedirect() throws {
    let form = URLRequest(url: try #require(URL(string: "http://one.test/newreply.php")))
    let error = #expect(throws: ClientError.self) {
      try Redirect.next(
        after: form, status: 302, location: "http://[", query: [], path: "newreply.php")
    }
    #expect(error?.mayHaveArrived == true)
  }

  @Test("a rejected login keeps the cookies of the previous login")
  func refusedLogIn() async throws {
    let server = ForumServer(
      site: ForumSite(seed: 7), options: ForumServerOptions())
    try await server.start()
    let client = try Self.client(of: #require(await server.baseURL))
    try await ForumLogIn.logIn(
      ForumSite.defaultUserName, password: ForumSite.password, client)
    let expiry = try #require(client.logInExpiry)
    await #expect(throws: (any Error).self) {
      try await ForumLogIn.logIn(ForumSite.defaultUserName, password: "wrong", client)
    }
    #expect(client.isLoggedIn)
    #expect(client.logInExpiry == expiry)
    await server.stop()
  }
}
