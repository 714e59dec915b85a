import AwfulCore
import AwfulWeb
import CoreData
import ForumHTML
import ForumScraping
import ForumSimulator
import Foundation
import HostileMarkup
import OpenPersistenceKit
import Testing

/// All contents from the site are read, rejected, or shown as text; they never execute or end the
/// program.
@Suite("A hostile site", .serialized)
struct HostileSiteTests {
  @Test("known scripts in titles, names, posts and drafts stay text in every page")
  func vectors() async throws {
    #expect(HostileMarkup.vectors.count >= 100)
    try await WebTrial.run { trial in
      try await trial.sync()
      let thread = try #require(trial.site.truth(for: nil).threads.first)
      let post = try #require(thread.posts.first)
      let choices = ReaderChoices(trial.personal)
      let bookmarks = PostBookmarks(store: trial.store, personal: trial.personal)
      let desk = DraftDesk(trial.personal)
      var draft = try #require(
        try await desk.begin(.reply(toThread: thread.id), DraftText(body: "x")))
      for vector in HostileMarkup.vectors {
        try await trial.store.performBackgroundTask { context in
          for stored in try context.fetch(ForumThread.request(id: thread.id)) {
            stored.title = vector
            stored.author?.username = vector
            stored.lastPostAuthorName = vector
            stored.forum?.name = vector
            for post in stored.posts {
              post.innerHTML = vector
              post.postDateRaw = vector
              post.author?.username = vector
            }
          }
          let announcements = NSFetchRequest<Announcement>(entityName: "Announcement")
          for stored in try context.fetch(announcements) {
            (stored.title, stored.bodyHTML, stored.authorUsername) = (vector, vector, vector)
          }
        }
        try await bookmarks.remove(post.id)
        try await bookmarks.add(post.id)
        draft = try await desk.write(
          draft.id, DraftText(subject: vector, body: vector), basedOn: draft.revision)
        try await trial.personal.performBackgroundTask { context in
          for stored in try context.fetch(NSFetchRequest<Draft>(entityName: "Draft")) {
            (stored.problem, stored.siteBody, stored.state) = (vector, vector, "conflict")
          }
        }
        try await choices.setHidden(false, "1", title: "")
        try await choices.setHidden(true, "1", title: vector)
        try await SavedThreads(trial.personal).add([("1", vector)])
        for path in [
          "/", "/forums/\(thread.forumID)", "/threads/\(thread.id)", "/drafts",
          "/write/reply/\(thread.id)", "/hidden", "/saved", "/announcements", "/bookmarks/posts",
          "/search?q=\(vector.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")",
        ] {
          try expectInert(try await trial.page(path), scripts: ["/live.js"])
        }
      }
    }
  }

  /// The number of mutated pages; 10,000 take some minutes.
  private static var pageCount: Int {
    Int(ProcessInfo.processInfo.environment["AWFUL_MUTATED_PAGES"] ?? "") ?? 300
  }

  @Test("mutated pages are read or rejected; the store stays intact, and shown contents are inert")
  func mutations() async throws {
    var dice = HostileMarkup.Dice(seed: 28)
    let originals = Self.originals()
    var store = try ForumStore(.inMemory)
    var counts = (read: 0, refused: 0, stored: 0)
    var slowest = (seconds: 0.0, round: 0)
    for round in 0..<Self.pageCount {
      let bytes = Self.mutated(originals[dice.below(originals.count)], &dice)
      let start = ContinuousClock.now
      do {
        let page = try PageScraper.scrape(bytes, contentType: "text/html; charset=windows-1252")
        counts.read += 1
        try await store.importPage(page, refreshed: Date(timeIntervalSince1970: 0))
        counts.stored += 1
      } catch let error where error is PageError || error is ForumErrorPage {
        counts.refused += 1
      } catch {
        Issue.record("round \(round): \(error)")
      }
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      if seconds > slowest.seconds { slowest = (seconds, round) }
      // Another store for each hundred, so that rounds stay short.
      if round % 100 == 99 || round == Self.pageCount - 1 {
        try Self.expectSound(store, "rounds up to \(round)")
        store = try ForumStore(.inMemory)
      }
    }
    print("mutated pages: \(counts), slowest \(slowest)")
    #expect(counts.stored > Self.pageCount / 10)
    #expect(counts.refused > Self.pageCount / 10)
  }

  /// The pages of a simulated site in all revisions of its markup.
  private static func originals() -> [[UInt8]] {
    let site = ForumSite(seed: 28, size: .tiny)
    let truth = site.truth()
    let thread = truth.threads.max { $0.posts.count < $1.posts.count }
    let forum = truth.forums.max { $0.threadIDs.count < $1.threadIDs.count }
    let pages: [(String, [String: String])] = [
      ("showthread.php", ["threadid": thread?.id ?? "", "perpage": "40"]),
      ("showthread.php", ["threadid": thread?.id ?? "", "perpage": "40", "pagenumber": "2"]),
      ("forumdisplay.php", ["forumid": forum?.id ?? "", "perpage": "40"]),
      ("bookmarkthreads.php", ["action": "view"]), ("index.php", ["json": "1"]),
      ("announcement.php", ["forumid": "1"]),
      ("newreply.php", ["action": "newreply", "threadid": thread?.id ?? ""]),
      ("showthread.php", ["threadid": "0"]),
    ]
    return Markup.allCases.flatMap { markup in
      pages.map { Array(site.page(path: $0.0, query: $0.1, markup: markup).body) }
    }
  }

  private static let pieces =
    HostileMarkup.vectors + [
      "<table class=\"post\" id=\"post1\">", "</td>", "</table>",
      "<tr class=\"thread\" id=\"thread1\">",
      "data-idx=\"-99999999999\"", "<body class=\"standarderror\">", "&#0;", "&#1114112;", "\"",
      "<", "'",
      "{", "}", "[", "],", "null", "1e999", "-1", "\"id\":\"\"",
    ]

  private static func mutated(_ page: [UInt8], _ dice: inout HostileMarkup.Dice) -> [UInt8] {
    var bytes = page
    for _ in 0...dice.below(6) where !bytes.isEmpty {
      let start = dice.below(bytes.count)
      let end = min(bytes.count, start + 1 + dice.below(dice.below(4) == 0 ? 4_000 : 60))
      switch dice.below(6) {
      case 0: bytes.removeSubrange(start..<end)
      case 1: bytes.insert(contentsOf: bytes[start..<end], at: dice.below(bytes.count))
      case 2: bytes.insert(contentsOf: Array(pieces[dice.below(pieces.count)].utf8), at: start)
      case 3: bytes.replaceSubrange(start..<end, with: pieces[dice.below(pieces.count)].utf8)
      case 4: for place in start..<end { bytes[place] = UInt8(dice.below(256)) }
      default: if dice.below(4) == 0 { bytes.removeSubrange(start...) }
      }
    }
    return bytes
  }

  private static func expectSound(_ store: ForumStore, _ comment: String) throws {
    #expect(try store.check().isEmpty, "\(comment)")
    let lists = ForumLists(store)
    for thread in try lists.threads() {
      let document = try ThreadDocument(
        ofThread: thread.threadID, in: lists, base: URL(string: "http://forum.test/"))
      try expectInert(try HTMLParser.parse(document.html), scripts: [])
    }
  }
}
