import Foundation
import Testing
import WebPages
import WebTestClient

/// Who is let in, and with which headers pages are sent.
@Suite("Sites on the loopback address")
struct WebSiteTests {
  private struct Pages: WebPageSource {
    func answer(to request: WebRequest) async throws -> WebAnswer {
      switch request.path {
      case ["fail"]: throw CocoaError(.fileReadCorruptFile)
      case ["away"]: .redirect("//evil.test/\r\nX: y")
      case ["form"]: .page(element(.p) { request.form["text"] ?? "" })
      default:
        .page(
          element(.p) { request.query["q"] ?? "home" },
          showsForeignImages: request.path == ["images"])
      }
    }

    func page(title: String, reason: String) -> Markup { element(.p) { "\(title): \(reason)" } }
  }

  /// Runs a test with a site; the cookie lets a browser in.
  private func withSite(
    _ body: (_ port: Int, _ cookie: [String: String]) async throws -> Void
  ) async throws {
    let site = WebSite(Pages(), lists: LiveLists(), token: "secret")
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
    "the token lets a browser in: once in the address, then as a cookie that scripts do not see")
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

  @Test("a request under another name, or a form of another site, is refused")
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
      // Browsers say "null" for pages that send no referrers, and tell the site's own ones by another header.
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

  @Test("pages load nothing but the site's own files, and foreign images where they are wanted")
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
    }
  }

  @Test("an error is a page that says why; a redirect stays on the site")
  func errors() async throws {
    try await withSite { port, cookie in
      let failed = try await send(port, "/fail", "GET", cookie)
      #expect(failed.status == 500 && failed.text.hasPrefix("<p>Something went wrong: "))
      let away = try await send(port, "/away", "GET", cookie)
      #expect(away.headers["location"]?.hasPrefix("/evil.test/") == true)
      #expect(away.headers["x"] == nil)
    }
  }
}
