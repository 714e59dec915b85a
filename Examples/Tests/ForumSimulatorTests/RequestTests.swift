import ForumSimulator
import Foundation
import Testing

/// Requests with effects: login, read markers, redirects, bookmarks, votes.
@Suite("Requests")
struct RequestTests {
  let site = ForumSite(seed: 7)

  /// Logs in and returns the cookies.
  func cookies(password: String = ForumSite.password) -> [String: String] {
    let response = site.respond(
      to: SiteRequest(
        method: "POST", path: "account.php", query: ["json": "1"],
        form: [
          "action": "login", "username": ForumSite.defaultUserName, "password": password,
          "next": "/index.php?json=1",
        ]))
    var cookies: [String: String] = [:]
    for header in response.headers where header.name == "Set-Cookie" {
      let pair = header.value.prefix { $0 != ";" }.split(separator: "=")
      if pair.count == 2 { cookies[String(pair[0])] = String(pair[1]) }
    }
    return cookies
  }

  func get(_ path: String, _ query: [String: String]) -> SiteResponse {
    site.respond(to: SiteRequest(path: path, query: query, cookies: cookies()))
  }

  func thread(_ id: String) throws -> SiteTruth.Thread {
    try #require(site.truth().threads.first { $0.id == id })
  }

  @Test("a login sets both cookies and redirects to the next page")
  func logIn() throws {
    let cookies = cookies()
    #expect(Set(cookies.keys) == ["bbuserid", "bbpassword"])
    #expect(cookies["bbuserid"] == site.truth().reader?.id)
    #expect(self.cookies(password: "wrong").isEmpty)
  }

  @Test("a login never redirects to another host", arguments: ["//evil.example/", "http://a/", ""])
  func nextIsLocal(next: String) {
    let form = [
      "action": "login", "username": ForumSite.defaultUserName, "password": ForumSite.password,
      "next": next,
    ]
    let response = site.respond(to: SiteRequest(method: "POST", path: "account.php", form: form))
    #expect(response.header("Location") == "/index.php")
  }

  @Test("an ended session makes the client a guest and withdraws the cookies")
  func endedSession() {
    let old = cookies()
    site.endSession()
    let response = site.respond(to: SiteRequest(path: "bookmarkthreads.php", cookies: old))
    #expect(response.text.contains("must be a registered forums member"))
    #expect(response.header("Set-Cookie")?.contains("=deleted") == true)
  }

  @Test("a page view moves the read marker to the end of the page, never back")
  func readMarker() throws {
    let longest = try #require(site.truth().threads.max { $0.posts.count < $1.posts.count })
    let query = ["threadid": longest.id, "perpage": "40"]
    _ = get("showthread.php", query.merging(["action": "resetseen"]) { $1 })
    #expect(try thread(longest.id).seen == nil)
    _ = get("showthread.php", query.merging(["pagenumber": "2"]) { $1 })
    #expect(try thread(longest.id).seen == 80)
    _ = get("showthread.php", query.merging(["pagenumber": "1"]) { $1 })
    #expect(try thread(longest.id).seen == 80)
    _ = get("showthread.php", query.merging(["pagenumber": "3", "noseen": "1"]) { $1 })
    #expect(try thread(longest.id).seen == 80)
    _ = get("showthread.php", query.merging(["action": "setseen", "index": "12"]) { $1 })
    #expect(try thread(longest.id).seen == 12)
  }

  @Test("pure rendering moves no read marker")
  func pureRendering() throws {
    let before = site.truth()
    for thread in before.threads {
      _ = site.page(path: "showthread.php", query: ["threadid": thread.id])
    }
    #expect(site.truth() == before)
  }

  @Test("opening the first unseen post redirects to its page and drops the page size")
  func newPost() throws {
    let longest = try #require(site.truth().threads.max { $0.posts.count < $1.posts.count })
    _ = get("showthread.php", ["threadid": longest.id, "action": "setseen", "index": "45"])
    let response = get(
      "showthread.php", ["threadid": longest.id, "goto": "newpost", "perpage": "40"])
    #expect(response.status == 302)
    let location = try #require(response.header("Location"))
    #expect(location.contains("pagenumber=2"))
    #expect(location.hasSuffix("#pti6"))
    #expect(!location.contains("perpage"))
  }

  @Test("going to the last post ignores the author filter")
  func lastPost() throws {
    let longest = try #require(site.truth().threads.max { $0.posts.count < $1.posts.count })
    let author = try #require(longest.posts.first?.authorID)
    let response = get(
      "showthread.php",
      ["threadid": longest.id, "goto": "lastpost", "perpage": "40", "userid": author])
    let pageCount = (longest.posts.count + 39) / 40
    #expect(response.header("Location")?.contains("pagenumber=\(pageCount)#") == true)
  }

  @Test("a post is found by its number")
  func gotoPost() throws {
    let longest = try #require(site.truth().threads.max { $0.posts.count < $1.posts.count })
    let post = longest.posts[50]
    let response = get("showthread.php", ["goto": "post", "postid": post.id, "perpage": "40"])
    let location = try #require(response.header("Location"))
    #expect(location.contains("threadid=\(longest.id)&"))
    #expect(location.hasSuffix("pagenumber=2#post\(post.id)"))
  }

  @Test("one author's posts are counted by themselves")
  func authorFilter() throws {
    let longest = try #require(site.truth().threads.max { $0.posts.count < $1.posts.count })
    let author = try #require(longest.posts.first?.authorID)
    let response = get(
      "showthread.php", ["threadid": longest.id, "userid": author, "perpage": "40"])
    let ids = response.text.matches(of: /id="post(\d+)" data-idx/).map { String($0.1) }
    #expect(ids == longest.posts.filter { $0.authorID == author }.prefix(40).map(\.id))
    #expect(response.text.contains("Remove user filter"))
    let seen = try thread(longest.id).seen ?? 0
    let rows = response.text.matches(of: /<tr class="(seen|altcolor)[12]" id="pti/).map { $0.1 }
    let expected = longest.posts.filter { $0.authorID == author }.prefix(40).map {
      $0.index <= seen ? "seen" : "altcolor"
    }
    #expect(rows.map(String.init) == expected)
  }

  @Test("bookmarks are added, coloured and removed")
  func bookmarks() throws {
    let plain = try #require(site.truth().threads.first { $0.bookmark == nil })
    func post(_ form: [String: String]) {
      _ = site.respond(
        to: SiteRequest(
          method: "POST", path: "bookmarkthreads.php", form: form, cookies: cookies()))
    }
    post(["json": "1", "action": "add", "threadid": plain.id, "category_id": "3"])
    #expect(try thread(plain.id).bookmark == 3)
    post(["json": "1", "action": "remove", "threadid": plain.id])
    #expect(try thread(plain.id).bookmark == nil)
    post(["json": "1", "action": "add", "threadid": "1"])
    #expect(site.truth().bookmarkedThreadIDs.allSatisfy { $0 != "1" })
  }

  @Test("a second vote of a reader replaces the first")
  func votes() throws {
    let before = try #require(site.truth().threads.first)
    for vote in ["1", "5"] {
      let form = ["vote": vote, "threadid": before.id]
      _ = site.respond(
        to: SiteRequest(method: "POST", path: "threadrate.php", form: form, cookies: cookies()))
    }
    let after = try thread(before.id)
    #expect(after.votes == before.votes + 1)
    let sum = (before.ratingInHundredths ?? 0) * before.votes
    let expected = (sum + 500) / after.votes
    #expect(abs((after.ratingInHundredths ?? 0) - expected) <= 1)
  }

  @Test("forms are decoded from windows-1252, with references, in both encodings")
  func forms() {
    let encoded = SiteRequest(
      method: "POST", path: "/a.php", query: "x=%E9&y",
      contentType:
        "application/x-www-form-urlencoded", cookie: "a=b; c = d",
      body:
        Data("m=a+%26%239731%3B%80&bad=%zz%4".utf8))
    #expect(encoded.query == ["x": "é", "y": ""])
    #expect(encoded.form == ["m": "a \u{2603}\u{20AC}", "bad": "%zz%4"])
    #expect(encoded.cookies == ["a": "b", "c": "d"])
    #expect(encoded.path == "a.php")
    var body = Data("--q\r\nContent-Disposition: form-data; name=\"m\"\r\n\r\nl1\r\n".utf8)
    body += Data([0xE9]) + Data("\r\n--q--\r\n".utf8)
    let multipart = SiteRequest(
      method: "POST", path: "a.php", query: "", contentType: "multipart/form-data; boundary=q",
      cookie: nil, body: body)
    #expect(multipart.form == ["m": "l1\r\né"])
  }
}
