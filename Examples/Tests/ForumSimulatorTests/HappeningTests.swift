import ForumScraping
import ForumSimulator
import Testing

/// What happens on the site: of all kinds, decided by a seed, and shown by the pages.
@Suite("Happenings")
struct HappeningTests {
  /// Every page that a reader sees must agree with the site's truth.
  func checkPages(_ site: ForumSite, _ markup: Markup) throws {
    let truth = site.truth()
    let threads = Dictionary(uniqueKeysWithValues: truth.threads.map { ($0.id, $0) })
    func read(_ path: String, _ query: [String: String]) throws -> ScrapedPage {
      try Visitor.read(site.page(path: path, query: query, markup: markup))
    }
    let index = try read("index.php", ["json": "1"]).expectIndex()
    #expect(Set(index.groups.map(\.id) + index.forums.map(\.id)) == Set(truth.forums.map(\.id)))
    let moderators = Dictionary(uniqueKeysWithValues: truth.forums.map { ($0.id, $0.moderatorIDs) })
    #expect(index.forums.allSatisfy { $0.moderators.map(\.userID) == moderators[$0.id] })
    for forum in truth.forums where !forum.isGroup {
      var ids: [String] = []
      let pageCount = max((forum.threadIDs.count + 39) / 40, 1)
      for number in 1...pageCount {
        let page = try read(
          "forumdisplay.php", ["forumid": forum.id, "perpage": "40", "pagenumber": "\(number)"]
        ).expectThreadList()
        #expect(page.pages.count == pageCount)
        #expect(page.breadcrumbs.last?.name == forum.title)
        #expect(page.announcements.map(\.title) == truth.announcements)
        ids += page.threads.map(\.id)
        for row in page.threads {
          let thread = try #require(threads[row.id])
          #expect(row.title == thread.title)
          #expect(row.authorName == thread.author)
          #expect(row.isClosed == thread.isClosed)
          #expect(row.replyCount == thread.replies)
          #expect(row.lastPostAuthorName == thread.lastPoster)
        }
      }
      #expect(ids == forum.threadIDs)
    }
    for thread in truth.threads.prefix(6) {
      let page = try read("showthread.php", ["threadid": thread.id, "perpage": "40"])
        .expectThread()
      #expect(page.title == thread.title)
      #expect(page.forumID == thread.forumID)
      #expect(page.posts.map(\.id) == thread.posts.prefix(40).map(\.id))
      #expect(page.posts.map(\.author.name) == thread.posts.prefix(40).map(\.author))
    }
  }

  @Test("after a thousand happenings of every kind, pages agree with the truth", arguments: [1, 2])
  func thousand(seed: UInt64) throws {
    let site = ForumSite(seed: seed)
    var counts: [Happening: Int] = [:]
    for round in 0..<20 {
      for kind in site.happen(times: 50) { counts[kind, default: 0] += 1 }
      site.advance(seconds: 60)
      if round % 5 == 4 {
        for markup in Markup.allCases { try checkPages(site, markup) }
      }
    }
    #expect(Set(counts.keys) == Set(Happening.allCases), "seed \(seed)")
    #expect(counts.values.reduce(0, +) == 1_000)
  }

  @Test("the same seed causes the same happenings")
  func sameSeed() {
    let sites = [ForumSite(seed: 5), ForumSite(seed: 5)]
    let happened = sites.map { $0.happen(times: 200, seed: 9) }
    #expect(happened[0] == happened[1])
    #expect(sites[0].truth() == sites[1].truth())
    #expect(happened[0] != ForumSite(seed: 5).happen(times: 200, seed: 10))
  }

  @Test("each kind changes its part of the site", arguments: Happening.allCases)
  func kinds(kind: Happening) throws {
    let site = ForumSite(seed: 7)
    if kind == .openThread { site.happen(.closeThread) }
    let before = site.truth()
    #expect(site.happen(kind))
    let after = site.truth()
    #expect(after.revision == before.revision + 1)
    let posts = after.threads.map(\.posts.count).reduce(0, +)
    let postsBefore = before.threads.map(\.posts.count).reduce(0, +)
    switch kind {
    case .post: #expect(posts == postsBefore + 1)
    case .newThread: #expect(after.threads.count == before.threads.count + 1)
    case .renameThread: #expect(after.threads.map(\.title) != before.threads.map(\.title))
    case .deletePost: #expect(posts == postsBefore - 1)
    case .moveThread: #expect(after.threads.map(\.forumID) != before.threads.map(\.forumID))
    case .closeThread:
      #expect(after.threads.count { $0.isClosed } == before.threads.count { $0.isClosed } + 1)
    case .openThread:
      #expect(after.threads.count { $0.isClosed } == before.threads.count { $0.isClosed } - 1)
    case .deleteThread: #expect(after.threads.count == before.threads.count - 1)
    case .renameUser: #expect(after.users.map(\.name) != before.users.map(\.name))
    case .changeAnnouncement: #expect(after.announcements != before.announcements)
    case .message: #expect(after.messages.count == before.messages.count + 1)
    case .renameForum: #expect(after.forums.map(\.title) != before.forums.map(\.title))
    case .addForum: #expect(after.forums.count == before.forums.count + 1)
    case .changeModerators: break
    }
  }

  @Test("a script happens by virtual time, in one step or in many")
  func script() {
    let script = SiteScript(steps: [
      .init(after: 600, .addForum), .init(after: 30, .renameThread, times: 3),
      .init(after: -5, .message), .init(after: .max, .deleteThread, times: .max),
    ])
    let once = ForumSite(seed: 3)
    let often = ForumSite(seed: 3)
    for site in [once, often] { site.run(script) }
    let messages = once.truth().messages.count
    once.advance(seconds: 700)
    for _ in 0..<70 { often.advance(seconds: 10) }
    #expect(once.truth().threads == often.truth().threads)
    #expect(once.truth().forums == often.truth().forums)
    #expect(once.truth().messages.count == messages + 1)
    #expect(once.truth().forums.count == ForumSite(seed: 3).truth().forums.count + 1)
  }

  @Test(
    "the plain layout of a forum shows posts without index and else alike",
    arguments: Markup.allCases)
  func plainLayout(markup: Markup) throws {
    let site = ForumSite(seed: 7)
    let thread = try #require(site.truth().threads.first { $0.posts.count > 4 })
    let query = ["threadid": thread.id, "perpage": "40"]
    func posts() throws -> [ScrapedPost] {
      try Visitor.read(site.page(path: "showthread.php", query: query, markup: markup))
        .expectThread().posts
    }
    let usual = try posts()
    site.usePlainLayout(inForum: thread.forumID)
    let plain = try posts()
    #expect(plain.map(\.id) == usual.map(\.id))
    #expect(plain.map(\.author) == usual.map(\.author))
    #expect(plain.map(\.posted) == usual.map(\.posted))
    #expect(plain.map(\.isSeen) == usual.map(\.isSeen))
    #expect(plain.allSatisfy { $0.index == nil })
    #expect(usual.allSatisfy { $0.index != nil })
  }

  @Test("an archived thread is for accounts with the upgrade")
  func archive() throws {
    let site = ForumSite(seed: 7)
    let thread = try #require(site.truth().threads.first)
    site.archiveThread(thread.id)
    let query = ["threadid": thread.id]
    #expect(try Visitor(site).read("showthread.php", query).error.kind == .archivesRequired)
    let admin = try #require(site.truth().users.first { $0.role == "administrator" })
    #expect(try Visitor(site, name: admin.name).read("showthread.php", query).kind == .threadPage)
  }
}
