import ForumSimulator
import Foundation
import Testing

/// Pages as a reader gets them, without a network.
@Suite("Pages")
struct PageTests {
  let site = ForumSite(seed: 7)

  /// The longest thread, which has several pages.
  func longThread() throws -> SiteTruth.Thread {
    try #require(site.truth().threads.max { $0.posts.count < $1.posts.count })
  }

  @Test("a page of posts shows the posts of the truth, forty at a time")
  func posts() throws {
    let thread = try longThread()
    #expect(thread.posts.count > 80)
    let page = site.page(
      path: "showthread.php",
      query: ["threadid": thread.id, "perpage": "40", "pagenumber": "2"])
    let ids = page.text.matches(of: /<table class="post " id="post(\d+)" data-idx="(\d+)">/)
    #expect(ids.map { String($0.1) } == thread.posts[40..<80].map(\.id))
    #expect(ids.first.map { String($0.2) } == "41")
    #expect(page.text.contains("data-forum=\"\(thread.forumID)\" data-thread=\"\(thread.id)\""))
    #expect(page.header("content-type") == "text/html; charset=windows-1252")
  }

  @Test("each revision of the markup shows the page number differently", arguments: Markup.allCases)
  func revisions(markup: Markup) throws {
    let thread = try longThread()
    let pageCount = (thread.posts.count + 39) / 40
    let text = site.page(
      path: "showthread.php", query: ["threadid": thread.id, "perpage": "40"], markup: markup
    ).text
    let attributes = "data-current-page=\"1\" data-total-pages=\"\(pageCount)\""
    #expect(text.contains(attributes) == (markup == .revision2025))
    let last = "<option value=\"\(pageCount)\">\(pageCount)</option></select>"
    #expect(text.contains(last) == (markup != .revision2025))
  }

  @Test("posts up to the read marker are marked as seen")
  func seenRows() throws {
    let thread = try #require(
      site.truth().threads.first { ($0.unread ?? 0) > 0 && $0.posts.count <= 40 })
    let text = site.page(path: "showthread.php", query: ["threadid": thread.id, "perpage": "40"])
      .text
    #expect(text.matches(of: /<tr class="seen[12]" id="pti/).count == thread.seen)
    #expect(text.matches(of: /<tr class="altcolor[12]" id="pti/).count == thread.unread)
  }

  @Test("a thread list shows the threads of the truth in order, with unread numbers")
  func threadList() throws {
    let truth = site.truth()
    let threads = Dictionary(uniqueKeysWithValues: truth.threads.map { ($0.id, $0) })
    for forum in truth.forums where !forum.isGroup {
      let text = site.page(
        path: "forumdisplay.php", query: ["forumid": forum.id, "perpage": "40"]
      ).text
      let ids = text.matches(of: /<tr class="thread(?: closed)?" id="thread(\d+)">/)
      #expect(ids.map { String($0.1) } == forum.threadIDs)
      let unread = text.matches(of: /class="count"><b>(\d+)<\/b>/).compactMap { Int($0.1) }
      #expect(unread == forum.threadIDs.compactMap { threads[$0]?.unread }.filter { $0 > 0 })
    }
  }

  @Test("page minus one of a forum contains announcements and no threads")
  func announcements() throws {
    let truth = site.truth()
    let forum = try #require(truth.forums.first { !$0.isGroup })
    let text = site.page(
      path: "forumdisplay.php", query: ["forumid": forum.id, "pagenumber": "-1"]
    ).text
    #expect(!text.contains("id=\"thread4"))
    #expect(text.matches(of: /class="announcement"/).count == truth.announcements.count)
  }

  @Test("the announcement page contains a text for each title of the lists")
  func announcementTexts() {
    let text = site.page(path: "announcement.php", query: ["forumid": "1"]).text
    #expect(text.matches(of: /<td class="postbody">/).count == site.truth().announcements.count)
  }

  @Test("the bookmarks show the reader's threads with their colours")
  func bookmarks() {
    let truth = site.truth()
    let text = site.page(path: "bookmarkthreads.php", query: ["perpage": "40"]).text
    let ids = text.matches(of: /id="thread(\d+)">\n\t<td class="star bm([0-5])">/)
    #expect(ids.map { String($0.1) } == truth.bookmarkedThreadIDs)
    #expect(!truth.bookmarkedThreadIDs.isEmpty)
  }

  @Test("characters outside windows-1252 become references, other characters one byte")
  func characterSet() throws {
    var texts: [String] = []
    for forum in site.truth().forums where !forum.isGroup {
      let page = site.page(path: "forumdisplay.php", query: ["forumid": forum.id])
      texts.append(page.text)
      #expect(!page.body.contains(0x81))
    }
    let titles = site.truth().threads.map(\.title).joined()
    #expect(titles.contains("\u{2192}") == texts.joined().contains("&#8594;"))
    #expect(!texts.joined().contains("\u{2192}"))
  }

  @Test("the index is a tree of groups and forums in ASCII JSON")
  func index() throws {
    let page = site.page(path: "index.php", query: ["json": "1"])
    #expect(page.body.allSatisfy { $0 < 0x80 })
    let index = try JSONDecoder().decode(Index.self, from: page.body)
    #expect(index.user?.username == ForumSite.defaultUserName)
    let forums = site.truth().forums
    #expect(Set(index.forums.flatMap(\.allIDs)) == Set(forums.compactMap { Int($0.id) }))
    #expect(index.forums.allSatisfy { !$0.hasThreads })
  }

  @Test("times follow the clock style of the reader")
  func clockStyle() throws {
    let thread = try longThread()
    let query = ["threadid": thread.id]
    let twelve = site.page(
      path: "showthread.php", query: query, user: ForumSite.twelveHourUserName)
    #expect(twelve.text.contains(/\t\t[A-Z][a-z]{2} [ \d]\d, \d{4} [ \d]\d:\d\d [AP]M\n/))
    let other = site.page(path: "showthread.php", query: query)
    #expect(other.text.contains(/\t\t[A-Z][a-z]{2} [ \d]\d, \d{4} \d\d:\d\d\n/))
  }

  @Test("dates are printed in the local time of Chicago, in summer and in winter")
  func dates() throws {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "America/Chicago")
    formatter.dateFormat = "MMM d, yyyy HH:mm"
    var offsets: Set<Int> = []
    for thread in site.truth().threads {
      let query = ["threadid": thread.id, "perpage": "200"]
      let text = site.page(path: "showthread.php", query: query).text
      let printed = text.matches(of: /\t\t([A-Z][a-z]{2} [ \d]\d, \d{4} \d\d:\d\d)\n/)
      #expect(printed.count == thread.posts.count)
      for (match, post) in zip(printed, thread.posts) {
        let date = try #require(formatter.date(from: String(match.1)))
        let error = abs(Int(date.timeIntervalSince1970) - post.date)
        #expect(error == 0 || (error == 3_600 && match.1.hasPrefix("Nov  3")))
        offsets.insert(formatter.timeZone.secondsFromGMT(for: date))
      }
    }
    #expect(offsets == [-6 * 3_600, -5 * 3_600])
  }

  @Test("unknown and missing numbers return a standard error page")
  func errors() {
    for (path, query) in [
      ("showthread.php", ["threadid": "1"]), ("showthread.php", [:]),
      ("showthread.php", ["goto": "post", "postid": "x"]),
      ("forumdisplay.php", ["forumid": "99999999999999999999"]), ("nothing.php", [:]),
    ] {
      let page = site.page(path: path, query: query)
      #expect(page.text.contains("class=\"standarderror\""))
    }
  }

  @Test("guests cannot access bookmarks, or any page if a login is required")
  func guests() throws {
    let phrase = "must be a registered forums member"
    #expect(site.page(path: "bookmarkthreads.php", user: nil).text.contains(phrase))
    #expect(!site.page(path: "index.php", user: nil).text.contains(phrase))
    site.demandLogIn(true)
    #expect(site.page(path: "index.php", user: nil).text.contains(phrase))
    #expect(!site.page(path: "index.php").text.contains(phrase))
  }
}

/// The parts of the index that the tests read.
private struct Index: Decodable {
  struct User: Decodable {
    let username: String
  }

  struct Forum: Decodable {
    private enum CodingKeys: String, CodingKey {
      case id
      case hasThreads = "has_threads"
      case forums = "sub_forums"
    }

    let id: Int
    let hasThreads: Bool
    let forums: [Forum]

    var allIDs: [Int] { [id] + forums.flatMap(\.allIDs) }
  }

  let user: User?
  let forums: [Forum]
}
