import Foundation
import Testing
import WebPages
import WebTestClient

/// Access control, and the headers of pages.
@Suite("Sites on the loopback address")
struct WebSiteTests {
  private struct Pages: WebPageSource {
    let file: URL?

    func answer(to request: WebRequest) async throws -> WebAnswer {
      switch request.path {
      case ["fail"]: throw CocoaError(.fileReadCorruptFile)
      case ["away"]: .redirect("//evil.test/\r\nX: y")
      case ["file"]: .stream(file ?? URL(fileURLWithPath: "/"), contentType: "text/plain")
      case ["form"]: .page(element(.p) { request.form["text"] ?? "" })
      default:
        .page(
          element(.p) { request.query["q"] ?? "home" },
          showsForeignImages: request.path == ["images"])
      }
    }

    func page(title: String, reason: String) -> Markup { element(.p) { "\(title): \(reason)" } }
  }

  /// Runs a test with a site; the cookie authorizes a browser.
  private func withSite(
    _ file: URL? = nil,
    _ body: (_ port: Int, _ cookie: [String: String]) async throws -> Void
  ) async throws {
    let site = WebSite(Pages(file: file), lists: LiveLists(), token: "secret")
    let address = try #require(URL(string: try await site.start()))
    let port = try #require(address.port)
    do {
      try await body(port, ["Cookie": "a=b; site-token-\(port)=secret"])
    } catch {
      await site.stop()
      throw error
    }
    await site.stop()
  }

  @Test(
    "the token authorizes a browser: once in the address, then as a cookie hidden from scripts")
  func token() async throws {
    try await withSite { port, cookie in
      for path in ["/", "/?token=secre", "/?token=secreT", "/live.js"] {
        #expect(try await send(port, path).status == 403)
      }
      #expect(try await send(port, "/", "GET", ["Cookie": "site-token-\(port)=x"]).status == 403)
      let admitted = try await send(port, "/a/b?token=secret")
      #expect(admitted.status == 303)
      #expect(admitted.headers["location"] == "/a/b")
      #expect(
        admitted.headers["set-cookie"]
          == "site-token-\(port)=secret; Path=/; HttpOnly; SameSite=Strict")
      let page = try await send(port, "/?q=%3Cb%3E+%26", "GET", cookie)
      #expect(page.status == 200)
      #expect(page.text == "<p>&lt;b&gt; &amp;</p>")
    }
  }

  @Test("a request with another host name or a form of another site is rejected")
  func foreignRequests() async throws {
    try await withSite { port, cookie in
      func status(
        _ method: String, _ name: String, _ value: String, fetchSite: String? = nil
      ) async throws -> Int {
        var headers = cookie
        headers[name] = value
        headers["Sec-Fetch-Site"] = fetchSite
        let body = method == "POST" ? "text=a" : nil
        return try await send(port, "/form", method, headers, body: body).status
      }
      #expect(try await status("GET", "Host", "evil.test:\(port)") == 421)
      for origin in ["http://evil.test", "null", "http://127.0.0.1:\(port + 1)"] {
        #expect(try await status("POST", "Origin", origin) == 403)
      }
      #expect(try await status("POST", "X", "without origin") == 403)
      // Browsers send "null" for pages without referrers, and identify the site's own pages with
      // another header.
      #expect(try await status("POST", "Origin", "null", fetchSite: "cross-site") == 403)
      #expect(
        try await status("POST", "Origin", "http://evil.test", fetchSite: "same-origin") == 403)
      #expect(try await status("POST", "Origin", "null", fetchSite: "same-origin") == 200)
      #expect(try await status("DELETE", "Origin", "http://127.0.0.1:\(port)") == 405)
      let own = ["Origin": "http://127.0.0.1:\(port)", "Cookie": cookie["Cookie"] ?? ""]
      let answer = try await send(port, "/form", "POST", own, body: "x=1&text=a%2Bb+c")
      #expect(answer.text == "<p>a+b c</p>")
    }
  }

  @Test("pages load only the site's own files, and foreign images if allowed")
  func headers() async throws {
    try await withSite { port, cookie in
      let page = try await send(port, "/", "GET", cookie)
      let policy = try #require(page.headers["content-security-policy"])
      #expect(policy.hasPrefix("default-src 'none'"))
      #expect(!policy.contains("unsafe") && policy.contains("img-src 'self';"))
      #expect(page.headers["referrer-policy"] == "no-referrer")
      #expect(page.headers["x-content-type-options"] == "nosniff")
      let images = try await send(port, "/images", "GET", cookie)
      #expect(
        images.headers["content-security-policy"]?.contains("img-src 'self' http: https:;") == true)
      let script = try await send(port, "/live.js", "GET", cookie)
      #expect(script.headers["content-type"] == "text/javascript; charset=utf-8")
      #expect(script.text.utf8.count < 30_000)
      let head = try await send(port, "/", "HEAD", cookie)
      #expect(head.status == 200 && head.text.isEmpty)
      #expect(head.headers["content-length"] == "\(page.text.utf8.count)")
    }
  }

  @Test("an error page states the reason; a redirect stays on the site")
  func errors() async throws {
    try await withSite { port, cookie in
      let failed = try await send(port, "/fail", "GET", cookie)
      #expect(failed.status == 500 && failed.text.hasPrefix("<p>Something went wrong: "))
      let away = try await send(port, "/away", "GET", cookie)
      #expect(away.headers["location"]?.hasPrefix("/evil.test/") == true)
      #expect(away.headers["x"] == nil)
    }
  }

  @Test("a chunked body that is larger than a form is rejected before its end")
  func endlessForm() async throws {
    try await withSite { port, cookie in
      let head = Self.head(
        "POST /form", port,
        [
          "Origin: http://127.0.0.1:\(port)", "Cookie: \(cookie["Cookie"] ?? "")",
          "Connection: close",
        ])
      let short = try await exchange(port, Data("\(head)6\r\ntext=a\r\n0\r\n\r\n".utf8))
      #expect(short.hasPrefix("HTTP/1.1 200 ") && short.hasSuffix("<p>a</p>"))
      let chunk = Data("\(head)F000000\r\n".utf8) + Data(repeating: 0x61, count: 1 << 20)
      let answer = try await exchange(port, chunk)
      #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.contains("\r\nConnection: close\r\n"))
      #expect(answer.contains("Too large"))
    }
  }

  @Test("a request without the token is rejected before its body is read, and ends the connection")
  func unreadBody() async throws {
    try await withSite { port, _ in
      let head = Self.head("POST /form", port, ["Origin: http://127.0.0.1:\(port)"])
      let body = "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
      let answer = try await exchange(port, Data((head + body).utf8))
      #expect(answer.hasPrefix("HTTP/1.1 403 "))
      // The body is not a second request.
      #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
    }
  }

  private static func head(_ request: String, _ port: Int, _ headers: [String]) -> String {
    let lines =
      ["\(request) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Transfer-Encoding: chunked"] + headers
    return lines.joined(separator: "\r\n") + "\r\n\r\n"
  }

  @Test("a site stops within any time", arguments: [-1, 0, 1e300, .infinity, .nan])
  func stopping(_ seconds: Double) async throws {
    let site = WebSite(Pages(file: nil), lists: LiveLists(), token: "secret")
    let port = try #require(URL(string: try await site.start())?.port)
    await site.stop(within: seconds)
    await #expect(throws: (any Error).self) { try await send(port, "/") }
  }

  private static let memoryFolder = "/dev/shm"

  @Test(
    "a file with a date far in the future is sent",
    .enabled(if: FileManager.default.isWritableFile(atPath: WebSiteTests.memoryFolder)))
  func farDate() async throws {
    // The file system of the folder stores dates of any year.
    let file = URL(fileURLWithPath: Self.memoryFolder)
      .appendingPathComponent("WebSiteTests-\(UUID().uuidString)")
    // A file that cannot be deleted does not matter.
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("a".utf8).write(to: file)
    let times = timespec(tv_sec: 10_000_000_000_000, tv_nsec: 0)
    let status = utimensat(AT_FDCWD, file.path, [times, times], 0)
    #expect(status == 0)
    try await withSite(file) { port, cookie in
      let answer = try await send(port, "/file", "GET", cookie)
      #expect(answer.status == 200 && answer.text == "a")
    }
  }
}
