import AwfulCore
import CoreData
import ForumScraping
import Foundation
import WebPages
import StoreSharing

/// The pages of the reader's choices (favourite forums, hidden threads, bookmarked posts, and threads saved for later), and the forms that
/// change them.
struct ChoicePages: Sendable {
  let parts: PageParts
  let store: StoreFeed
  let choices: ReaderChoices
  let saved: SavedThreads
  let bookmarks: PostBookmarks
  let actions: SiteActions
  /// Fetches the saved threads; nil if the program does not connect to the site.
  let saver: ThreadSaver?
  private let undo = FavoritesUndo()

  init(
    parts: PageParts, store: StoreFeed, bookmarks: PostBookmarks, personal: PersonalStore,
    actions: SiteActions, saver: ThreadSaver?
  ) {
    self.parts = parts
    self.store = store
    choices = ReaderChoices(personal)
    saved = SavedThreads(personal)
    self.bookmarks = bookmarks
    self.actions = actions
    self.saver = saver
  }

  /// Answers a request for one of these pages. Returns `nil` for any other request.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    let path = request.path
    let id = path.count > 1 ? path[1] : ""
    switch (request.method, path.first, path.count, path.last) {
    case (.get, "favorites", 1, _): return try await favorites()
    case (.get, "hidden", 1, _): return try await hidden()
    case (.get, "saved", 1, _): return try await savedThreads()
    case (.get, "bookmarks", 2, "posts"): return try await bookmarkedPosts()
    case (.post, "favorites", 2, "undo"):
      if let order = await undo.take() { try await choices.setFavorites(order) }
    case (.post, "forums", 3, "favorite"): try await setFavorite(id, request.form["do"])
    case (.post, "threads", 3, "hide"): try await setHidden(id, request.form["do"] != "show")
    case (.post, "threads", 3, "seen"): try await setSeen(id, request)
    case (.post, "threads", 3, "bookmark"):
      let name = request.form["color"]
      let color = Self.color(name)
      if name != nil, color == nil { return PageParts.unknownValue }
      try await actions.setBookmark(id, color: color)
    case (.post, "posts", 3, "bookmark"):
      if request.form["do"] == "remove" {
        try await bookmarks.remove(id)
      } else {
        try await bookmarks.add(id)
      }
    case (.post, "threads", 3, "save"): try await save(id, request)
    case (.post, "bookmarks", 2, "save"): try await saveBookmarks()
    default: return nil
    }
    return .redirect(request.form["back"] ?? "/")
  }

  // MARK: Favourites

  private func favorites() async throws -> WebAnswer {
    let favorites = try await parts.feed.favoritesToArrange()
    let canUndo = await undo.canUndo
    return try await parts.live("Favorites", path: "/favorites", [favorites]) {
      Markup.up("/", "All forums")
      favorites.markup(
        empty: "There are no favorite forums. To add a forum, use the button on its page.")
      if canUndo { Markup.button("Undo", to: "/favorites/undo", back: "/favorites") }
    }
  }

  private func setFavorite(_ id: String, _ action: String?) async throws {
    if action != "remove", try await !hasForum(id) { throw ForumStoreError.missing("forum", id) }
    let former = try await choices.changeFavorites { order in
      var changed = order.filter { $0 != id }
      let place = order.firstIndex(of: id)
      switch action {
      case "remove": break
      case "up": changed.insert(id, at: max(0, (place ?? 0) - 1))
      case "down": changed.insert(id, at: min(changed.count, (place ?? changed.count) + 1))
      default: changed.append(id)
      }
      return changed
    }
    if let former { await undo.keep(former) }
  }

  private func hasForum(_ id: String) async throws -> Bool {
    try await store.read { try $0.count(for: Forum.request(id: id)) > 0 }
  }

  // MARK: Hidden threads

  private func hidden() async throws -> WebAnswer {
    let hidden = try await parts.feed.hiddenThreads()
    return try await parts.live("Hidden threads", path: "/hidden", [hidden]) {
      Markup.up("/", "All forums")
      hidden.markup(empty: "There are no hidden threads.")
    }
  }

  private func setHidden(_ id: String, _ isHidden: Bool) async throws {
    let title = try await title(ofThread: id)
    if isHidden, title == nil { throw ForumStoreError.missing("thread", id) }
    try await choices.setHidden(isHidden, id, title: title ?? "")
  }

  private func title(ofThread id: String) async throws -> String? {
    try await store.read { try $0.fetch(ForumThread.request(id: id)).first.map { $0.title ?? "" } }
  }

  // MARK: Reading marks and bookmarks

  private func setSeen(_ id: String, _ request: WebRequest) async throws {
    guard let count = request.form["place"].flatMap({ Int($0) }) else { return }
    try await actions.setSeen(id, count: count, onlyRaising: request.form["do"] == "raise")
    // The reader does not wait for the site. If the mark cannot be sent now, the next sync sends it.
    let actions = actions
    Task { try? await actions.sendMarks() }
  }

  private static func color(_ text: String?) -> ScrapedThread.BookmarkColor? {
    text.flatMap { ScrapedThread.BookmarkColor(rawValue: $0) }.flatMap { $0 == .none ? nil : $0 }
  }

  private func bookmarkedPosts() async throws -> WebAnswer {
    let posts = try await parts.feed.bookmarkedPosts()
    return try await parts.live("Bookmarked posts", path: "/bookmarks/posts", [posts]) {
      Markup.up("/bookmarks", "All bookmarks")
      element(.p, .class("muted")) {
        "The threads of these posts are kept when old threads are deleted. These bookmarks are not stored on the site."
      }
      posts.markup(
        empty: "There are no bookmarked posts. To bookmark a post, use the button below the post.")
    }
  }

  // MARK: Saving for later

  private func savedThreads() async throws -> WebAnswer {
    let saved = try await parts.feed.savedThreads()
    return try await parts.live("Saved", path: "/saved", [saved]) {
      element(.p, .class("muted")) {
        "These threads are fetched for reading offline and are kept when old threads are deleted."
      }
      saved.markup(
        empty: "There are no saved threads. To save a thread, use the button on its page.")
      Markup.button("Save all bookmarks", to: "/bookmarks/save", back: "/saved")
    }
  }

  private func save(_ id: String, _ request: WebRequest) async throws {
    switch request.form["do"] {
    case "pause": try await saved.setPaused(true, id)
    case "resume": try await saved.setPaused(false, id)
    case "remove": try await saved.remove(id)
    default:
      guard let title = try await title(ofThread: id) else {
        throw ForumStoreError.missing("thread", id)
      }
      if let pages = Self.pages(request) {
        try await saved.add(pages, ofThread: id, title: title)
      } else {
        try await saved.add([(id, title)])
      }
    }
    fetch()
  }

  /// The largest number of pages that a form can choose.
  private static let pageLimit = 1_000

  /// Returns the pages of a thread that a form chooses; nil for all pages.
  private static func pages(_ request: WebRequest) -> ClosedRange<Int>? {
    guard let count = request.form["pages"].flatMap({ Int($0) }), (1...pageLimit).contains(count)
    else { return nil }
    let first = request.form["from"].flatMap { Int($0) } ?? 1
    let start = min(max(1, first), Int(Int32.max) - pageLimit)
    return start...(start + count - 1)
  }

  private func saveBookmarks() async throws {
    let threads = try await store.read { context in
      let request = NSFetchRequest<ForumThread>(entityName: "Thread")
      request.predicate = ForumFeed.Threads.bookmarks.predicate
      request.sortDescriptors = [NSSortDescriptor(key: "threadID", ascending: true)]
      return try context.fetch(request).map { (id: $0.threadID, title: $0.title ?? "") }
    }
    try await saved.add(threads)
    fetch()
  }

  /// Fetches the saved threads in the background. The rows show the progress and any problem.
  private func fetch() {
    guard let saver else { return }
    Task { try? await saver.run() }
  }
}

/// The order of the favourites before the last change, for undo. Shared.
actor FavoritesUndo {
  private var order: [String]?

  var canUndo: Bool { order != nil }

  func keep(_ order: [String]) { self.order = order }

  func take() -> [String]? {
    defer { order = nil }
    return order
  }
}
