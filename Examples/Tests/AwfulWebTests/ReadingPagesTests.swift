import AwfulCore
import AwfulTerminal
import CoreData
import ForumHTML
import ForumSimulator
import Foundation
import OpenPersistenceKit
import TerminalView
import Testing
import WebPages
import WebTestClient

/// How a reader chooses the contents of a list or a thread.
@Suite("Choosing what to read", .serialized)
struct ReadingPagesTests {
  /// A site whose one forum has more threads than a page shows.
  private static let longLists = SiteSize(
    name: "long lists", groups: 1, forums: 1, threads: 90, posts: 120, users: 12,
    secondsBetweenPosts: 90)

  private static func ids(_ page: HTMLDocument, _ list: String) throws -> [String] {
    try page.select("#\(list) > li").map { $0["id"] ?? "" }
  }

  /// The forum with the most threads, and its threads as the site lists them.
  private static func largest(
    _ trial: WebTrial, for reader: String? = ForumSite.defaultUserName
  ) throws -> (forum: SiteTruth.Forum, threads: [SiteTruth.Thread]) {
    let truth = trial.site.truth(for: reader)
    let forum = try #require(truth.forums.max { $0.threadIDs.count < $1.threadIDs.count })
    return (
      forum,
      forum.threadIDs.compactMap { id in truth.threads.first { $0.id == id } }
    )
  }

  @Test(
    "a forum's page shows threads of one icon, as the site has them; an icon that no thread has shows none"
  )
  func icons() async throws {
    try await WebTrial.run(size: Self.longLists) { trial in
      try await trial.sync()
      let (forum, threads) = try Self.largest(trial, for: nil)
      let page = try await trial.page("/forums/\(forum.id)")
      let offered = try page.select("#icon option").compactMap { $0["value"] }.filter {
        !$0.isEmpty
      }
      #expect(offered == Set(threads.map(\.tag)).subtracting([""]).sorted())
      for icon in offered.prefix(3) {
        let chosen = try await trial.page("/forums/\(forum.id)?icon=\(icon)")
        let shown = Set(try Self.ids(chosen, "threads"))
        #expect(
          shown
            == Set(
              threads.filter { $0.tag == icon || $0.secondTag == icon }.map { "thread-\($0.id)" }))
        #expect(try chosen.first("#icon option[selected]")?["value"] == icon)
      }
      let none = try await trial.page("/forums/\(forum.id)?icon=%22%3E%3Cscript%3E,@1")
      #expect(try Self.ids(none, "threads").isEmpty)
    }
  }

  @Test("second icons are shown in pages and terminals, and chosen like the first ones")
  func secondIcons() async throws {
    try await WebTrial.run(loggedIn: true) { trial in
      _ = try await (try #require(trial.connection)).sync()
      let truth = trial.site.truth()
      let threads = Dictionary(uniqueKeysWithValues: truth.threads.map { ($0.id, $0) })
      guard
        let forum = truth.forums.first(where: { forum in
          forum.threadIDs.contains { threads[$0]?.secondTag == "lent" }
        })
      else {
        Issue.record("No forum has second icons.")
        return
      }
      let page = try await trial.page("/forums/\(forum.id)")
      let place = ReaderPlaces.Place.threads(forumID: forum.id, name: forum.title, page: 1)
      let rows = Dictionary(
        uniqueKeysWithValues: try await trial.terminalRows(place).map { ($0.id, $0.text) })
      for id in forum.threadIDs {
        let thread = try #require(threads[id])
        let facts = try #require(try page.first("#thread-\(id) .meta")).text
        let words = facts.components(separatedBy: " · ")
        #expect(words.contains(thread.tag), "\(facts)")
        #expect(thread.secondTag.isEmpty || words.contains(thread.secondTag), "\(facts)")
        #expect(rows[id]?.contains("[\(thread.secondTag)] ") == !thread.secondTag.isEmpty)
      }
      let chosen = try await trial.page("/forums/\(forum.id)?icon=lent")
      let lent = forum.threadIDs.filter { threads[$0]?.secondTag == "lent" }
      #expect(Set(try Self.ids(chosen, "threads")) == Set(lent.map { "thread-\($0)" }))
      #expect(try page.select("#icon option").contains { $0["value"] == "lent" })
    }
  }

  @Test("threads with unread posts precede the others and follow the sticky threads")
  func unreadFirst() async throws {
    try await WebTrial.run(loggedIn: true) { trial in
      let site = try #require(trial.connection)
      _ = try await site.sync()
      let (forum, threads) = try Self.largest(trial)
      let page = try await trial.page("/forums/\(forum.id)?first=unread")
      let shown = try Self.ids(page, "threads").compactMap { id in
        threads.first { "thread-\($0.id)" == id }
      }
      #expect(shown.count == threads.count)
      let ranks = shown.map { $0.isSticky ? 0 : ($0.unread ?? 0) > 0 ? 1 : 2 }
      #expect(ranks == ranks.sorted() && Set(ranks).count > 1)
    }
  }

  @Test("bookmarks are chosen by their colour")
  func colors() async throws {
    try await WebTrial.run(loggedIn: true) { trial in
      let site = try #require(trial.connection)
      _ = try await site.sync()
      let marked = trial.site.truth().threads.filter { $0.bookmark != nil }
      for (number, color) in ["orange", "red", "yellow", "cyan", "green", "purple"].enumerated() {
        let page = try await trial.page("/bookmarks?color=\(color)")
        #expect(
          Set(try Self.ids(page, "threads"))
            == Set(marked.filter { $0.bookmark == number }.map { "thread-\($0.id)" }), "\(color)")
      }
      #expect(
        try Self.ids(try await trial.page("/bookmarks?color=mauve"), "threads").count
          == marked.count)
    }
  }

  @Test("bookmarks are chosen by new posts, and by text in the title or the author's name")
  func bookmarkFilters() async throws {
    try await WebTrial.run(loggedIn: true) { trial in
      let site = try #require(trial.connection)
      _ = try await site.sync()
      let marked = trial.site.truth().threads.filter { $0.bookmark != nil }
      func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
      }
      func shown(_ parameters: String) async throws -> Set<String> {
        Set(try Self.ids(try await trial.page("/bookmarks?\(parameters)"), "threads"))
      }
      func ids(_ isShown: (SiteTruth.Thread) -> Bool) -> Set<String> {
        Set(marked.filter(isShown).map { "thread-\($0.id)" })
      }
      let new = ids { ($0.unread ?? 0) > 0 }
      #expect(try await shown("new=yes") == new)
      #expect(try await shown("new=no") == ids { _ in true }.subtracting(new))
      let thread = try #require(marked.first)
      let word = try #require(thread.title.split(separator: " ").max { $0.count < $1.count })
      for text in [String(word).uppercased(), thread.author] {
        let expected = ids {
          folded($0.title).contains(folded(text)) || folded($0.author).contains(folded(text))
        }
        let parameter = "text=\(PagePath.part(text))"
        #expect(try await shown(parameter) == expected, "\(text)")
        #expect(try await shown("\(parameter)&new=yes") == expected.intersection(new))
      }
      let none = try await trial.page("/bookmarks?text=%25*%22")
      #expect(try Self.ids(none, "threads").isEmpty)
      #expect(try none.first("input[name='text']")?["value"] == "%*\"")
    }
  }

  @Test("a thread's and a forum's page show when they were last fetched")
  func ages() async throws {
    try await WebTrial.run { trial in
      try await trial.sync()
      let thread = try #require(trial.site.truth(for: nil).threads.first)
      let dates = try trial.store.performBatchOperation { context in
        try context.fetch(ForumThread.request(id: thread.id)).map {
          [$0.lastRefresh, $0.forum?.lastRefresh].compactMap(\.self).map(Wording.day)
        }
      }
      let shown = try #require(dates.first)
      try #require(shown.count == 2)
      let threadPage = try await trial.page("/threads/\(thread.id)")
      #expect(try threadPage.first("#heading")?.text.contains("fetched \(shown[0])") == true)
      let forumPage = try await trial.page("/forums/\(thread.forumID)")
      #expect(forumPage.body.text.contains("fetched \(shown[1])"))
    }
  }

  @Test("a list is made longer page by page, and stays live as a whole")
  func longer() async throws {
    try await WebTrial.run(size: Self.longLists) { trial in
      try await trial.sync()
      let (forum, _) = try Self.largest(trial, for: nil)
      let count = forum.threadIDs.count
      #expect(count > 40)
      let first = try await trial.page("/forums/\(forum.id)")
      let more = try #require(try first.first("[data-more]"))
      #expect(more.text == "Show \(min(40, count - 40)) more" && more["data-more"] == "")
      let longer = try await trial.page(more["href"] ?? "")
      #expect(try Self.ids(longer, "threads").count == min(80, count))
      #expect(Array(try Self.ids(longer, "threads").prefix(40)) == (try Self.ids(first, "threads")))
      let events = try trial.events(of: longer)
      let last = try #require(try Self.ids(longer, "threads").last?.dropFirst(7))
      try await trial.store.performBackgroundTask { context in
        let request = ForumThread.request(id: String(last))
        try context.fetch(request).first?.title = "Another title"
      }
      #expect(await events.text(until: "Another title").contains("event: update"))
      let beyond = try await trial.page("/forums/\(forum.id)?span=9999")
      #expect(try Self.ids(beyond, "threads").count == count)
      #expect(try beyond.select("[data-more]").isEmpty)
    }
  }

  @Test("a thread shows the stored posts of one member")
  func author() async throws {
    try await WebTrial.run { trial in
      try await trial.sync()
      let thread = try #require(
        trial.site.truth(for: nil).threads.max { $0.posts.count < $1.posts.count })
      let author = try #require(thread.posts.last?.authorID)
      let page = try await trial.page("/threads/\(thread.id)?author=\(author)")
      #expect(
        try Self.ids(page, "posts")
          == thread.posts.filter { $0.authorID == author }.prefix(40).map { "post\($0.id)" })
      let link = try #require(try page.first(".post .links a"))
      #expect(link["href"] == "/threads/\(thread.id)?author=\(author)")
      #expect(try Self.ids(try await trial.page("/threads/\(thread.id)?author=0"), "posts").isEmpty)
    }
  }

  @Test("continuing folds the posts seen before, and unfolds them three at a time")
  func folded() async throws {
    try await WebTrial.run(loggedIn: true) { trial in
      let site = try #require(trial.connection)
      _ = try await site.sync()
      let truth = trial.site.truth()
      let thread = try #require(
        truth.threads.first { ($0.seen ?? 0) % 40 > 4 && ($0.unread ?? 0) > 0 })
      let seen = try #require(thread.seen)
      let page = seen / 40 + 1
      let answer = try await send(
        trial.port, "/threads/\(thread.id)?page=unread", "GET", trial.cookie)
      let address = try #require(answer.headers["location"])
      #expect(
        address
          == "/threads/\(thread.id)?page=\(page)&from=\(seen + 1)#post\(thread.posts[seen].id)")
      let path = address.split(separator: "#")[0]
      let shown = try await trial.page(String(path))
      let all = thread.posts.dropFirst((page - 1) * 40).prefix(40).map { "post\($0.id)" }
      let folded = seen - (page - 1) * 40
      #expect(try Self.ids(shown, "posts") == Array(all.dropFirst(folded)))
      #expect(try shown.first(".folded")?.text.contains("\(folded) seen posts above") == true)
      let three = try #require(try shown.first(".folded a"))
      #expect(three.text == "Show 3 previous")
      let more = try await trial.page(three["href"] ?? "")
      #expect(try Self.ids(more, "posts") == Array(all.dropFirst(folded - 3)))
      let whole = try await trial.page("/threads/\(thread.id)?page=\(page)")
      #expect(try Self.ids(whole, "posts") == Array(all))
      #expect(try whole.select(".folded").isEmpty)
      for odd in ["-5", "99999999999999999999", "x", "1000000"] {
        _ = try await trial.page("/threads/\(thread.id)?page=\(page)&from=\(odd)")
      }
    }
  }

  @Test("an address of the site, or the number of a post, leads to the post")
  func finding() async throws {
    try await WebTrial.run { trial in
      try await trial.sync()
      let thread = try #require(trial.site.truth(for: nil).threads.first)
      let post = try #require(thread.posts.last)
      let address = "http%3A%2F%2Fforum.test%2Fshowthread.php%3Fgoto%3Dpost%26postid%3D\(post.id)"
      let answer = try await send(trial.port, "/search?q=\(address)", "GET", trial.cookie)
      #expect(answer.status == 303 && answer.headers["location"] == "/posts/\(post.id)")
      let found = try await trial.page("/search?q=\(post.id)")
      #expect(try found.select("a").contains { $0["href"] == "/posts/\(post.id)" })
      let other = try await trial.page(
        "/search?q=http%3A%2F%2Felsewhere.test%2Fshowthread.php%3Fpostid%3D1")
      #expect(try other.first("#words")?["value"]?.hasPrefix("http://elsewhere") == true)
    }
  }

  @Test("in a terminal, keys mark threads, hide them and search, and the list follows")
  func terminal() async throws {
    try await WebTrial.run(loggedIn: true) { trial in
      let site = try #require(trial.connection)
      _ = try await site.sync()
      let places = ReaderPlaces(trial.store, personal: trial.personal)
      let (forum, threads) = try Self.largest(trial)
      let place = ReaderPlaces.Place.threads(forumID: forum.id, name: forum.title, page: 1)
      let thread = try #require(threads.first { ($0.seen ?? 0) < $0.posts.count })
      let row = TerminalRow(id: thread.id, "[closed] \(thread.title)")
      func press(_ key: Character) async throws -> String? {
        guard case .run(let work) = places.action(of: key, in: place, row: row) else { return nil }
        return try await work()
      }
      #expect(try await press("r") == "Marked as read.")
      #expect(try ForumLists(trial.store).thread(thread.id).unreadPostCount == 0)
      #expect(try await press("r") == "Marked as unread.")
      #expect(try ForumLists(trial.store).thread(thread.id).isOpened == false)
      #expect(try await trial.terminalRows(place, of: places).contains { $0.id == thread.id })
      _ = try await press("h")
      #expect(try await !trial.terminalRows(place, of: places).contains { $0.id == thread.id })
      let hidden = try await ReaderChoices(trial.personal).hiddenThreads()
      #expect(hidden.map(\.title) == [thread.title])
      #expect(places.action(of: "r", in: .forums, row: row) == nil)

      guard case .ask(_, let answer) = places.action(of: "/", in: place, row: row),
        case .open(let found) = answer(thread.posts[0].text)
      else {
        Issue.record("The key asks for words, and opens what is found.")
        return
      }
      let results = try await trial.terminalRows(found, of: places)
      let hit = try #require(results.first { $0.text.hasPrefix(thread.title) })
      #expect(
        places.place(opening: hit, in: found)
          == .posts(threadID: thread.id, title: thread.title, page: 1))
    }
  }
}
