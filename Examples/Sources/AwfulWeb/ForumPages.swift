public import AwfulCore
import CoreData
public import Foundation
public import WebPages

/// The pages of a forum reader: everything that its store holds, live.
///
/// A value over shared state; usable anywhere.
public struct ForumPages: WebPageSource {
  private static let imagesCookie = "show-images"

  private let store: StoreFeed
  private let feed: PageFeed
  private let status: SyncStatus
  private let refresh: (@Sendable () async -> Void)?
  private let frame = PageFrame(
    name: "Awful", links: [.init("Forums", to: "/"), .init("Bookmarks", to: "/bookmarks")])

  /// Makes the pages of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - lists: The lists that its pages show.
  ///   - status: How the site is being followed.
  ///   - base: The site's address, for links in posts; nil drops relative ones.
  ///   - refresh: Fetches what is new on the site; nil where the site is not followed.
  public init(
    of store: ForumStore, lists: LiveLists, status: SyncStatus, base: URL? = nil,
    refresh: (@Sendable () async -> Void)? = nil
  ) {
    self.refresh = refresh
    self.store = StoreFeed(store)
    feed = PageFeed(feed: ForumFeed(self.store), lists: lists, base: base)
    self.status = status
  }

  /// Answers a request.
  ///
  /// - Throws: What reading the store throws.
  public func answer(to request: WebRequest) async throws -> WebAnswer {
    let path = request.path
    switch (request.method, path.first, path.count) {
    case (.get, nil, _): return try await forums()
    case (.get, "bookmarks", 1): return try await bookmarks(Self.number(request) ?? 1)
    case (.get, "forums", 2): return try await forum(path[1], Self.number(request) ?? 1)
    case (.get, "threads", 2): return try await thread(path[1], request)
    case (.get, "posts", 2): return try await post(path[1])
    case (.get, "events", 1): return events(request)
    case (.get, "site.css", 1): return try styles()
    case (.post, "images", 1): return setImages(request)
    case (.post, "refresh", 1):
      await refresh?()
      return .redirect(request.form["back"] ?? "/")
    default:
      return .page(
        page(title: "No such page", reason: "There is nothing at this address."), status: 404)
    }
  }

  /// The page for something that went wrong.
  public func page(title: String, reason: String) -> Markup {
    frame.page(title) {
      element(.p) { reason }
      element(.p) { element(.a, .href("/")) { "To the forums" } }
    }
  }

  /// The page number that a request names; nil for none, and for what is no number of a page.
  private static func number(_ request: WebRequest) -> Int? {
    request.query["page"].flatMap { Int($0) }.flatMap { (1...1_000_000).contains($0) ? $0 : nil }
  }

  // MARK: Pages

  private func forums() async throws -> WebAnswer {
    let forums = try await feed.forums()
    return try await live("Forums", path: "/", [forums]) {
      list(forums, empty: "No forums are stored yet. Run awful sync, or serve with --base-url.")
    }
  }

  private func bookmarks(_ page: Int) async throws -> WebAnswer {
    let threads = try await feed.threads(.bookmarks, page: page)
    let count = try await threadCount(.bookmarks)
    return try await live("Bookmarks", path: "/bookmarks", [threads]) {
      list(threads, empty: "No bookmarked thread is stored.")
      PageLinks.markup(path: "/bookmarks", page: page, count: Self.pages(count, page))
    }
  }

  private func forum(_ id: String, _ page: Int) async throws -> WebAnswer {
    let name = try await store.read { context -> String? in
      let request = NSFetchRequest<Forum>(entityName: "Forum")
      request.predicate = NSPredicate(format: "forumID == %@", argumentArray: [id])
      return try context.fetch(request).first.map { $0.name ?? "" }
    }
    guard let name else { return missing("forum") }
    let threads = try await feed.threads(.forum(id), page: page)
    let count = try await threadCount(.forum(id))
    return try await live(
      name.isEmpty ? "Forum" : name, path: "/forums/\(PagePath.part(id))?page=\(page)", [threads]
    ) {
      element(.p) { element(.a, .href("/"), Attribute("data-key", "up")) { "All forums" } }
      list(threads, empty: "No thread of this forum is stored.")
      PageLinks.markup(
        path: "/forums/\(PagePath.part(id))", page: page, count: Self.pages(count, page))
    }
  }

  private func thread(_ id: String, _ request: WebRequest) async throws -> WebAnswer {
    let known = try await store.read { context in
      let request = NSFetchRequest<ForumThread>(entityName: "Thread")
      request.predicate = NSPredicate(format: "threadID == %@", argumentArray: [id])
      return try context.fetch(request).first.map {
        KnownThread(
          title: $0.title ?? "", forumID: $0.forum?.forumID, seen: Int($0.seenPosts),
          count: $0.postCount)
      }
    }
    guard let known else { return missing("thread") }
    if request.query["page"] == "unread" { return try await unread(of: id, known) }
    let page = Self.number(request) ?? 1
    let showsImages = request.cookies[Self.imagesCookie] == "1"
    let heading = try await feed.heading(ofThread: id, page: page)
    let posts = try await feed.posts(ofThread: id, page: page, showsImages: showsImages)
    let path = "/threads/\(PagePath.part(id))?page=\(page)"
    let up = known.forumID.map { "/forums/\(PagePath.part($0))" } ?? "/"
    return try await live(
      known.title.isEmpty ? "Thread" : known.title, path: path, [heading, posts],
      showsForeignImages: showsImages
    ) {
      element(.p) { element(.a, .href(up), Attribute("data-key", "up")) { "All threads" } }
      element(.ul, .id("heading"), .class("plain")) { rows(heading) }
      list(posts, empty: "No post of this page is stored.")
      PageLinks.markup(
        path: "/threads/\(PagePath.part(id))", page: page, count: Self.pages(known.count, page))
      imagesForm(showsImages, back: path)
    }
  }

  /// What a page needs to know of a thread before it shows it.
  private struct KnownThread: Sendable {
    let title: String
    let forumID: String?
    let seen: Int
    let count: Int
  }

  /// Leads to the first post that the reader has not seen, or to the last one.
  private func unread(of id: String, _ known: KnownThread) async throws -> WebAnswer {
    let place = min(known.seen + 1, max(known.count, 1))
    let page = ForumThread.pageCount(forPosts: place)
    let postID = try await store.read { context in
      let request = NSFetchRequest<Post>(entityName: "Post")
      request.predicate = NSPredicate(
        format: "thread.threadID == %@ AND threadIndex == %@",
        argumentArray: [id, place as NSNumber])
      return try context.fetch(request).first?.postID
    }
    let fragment = postID.map { "#post\(PagePath.part($0))" } ?? ""
    return .redirect("/threads/\(PagePath.part(id))?page=\(page)\(place > 1 ? fragment : "")")
  }

  /// Leads to a post in its thread.
  private func post(_ id: String) async throws -> WebAnswer {
    let place = try await store.read { context -> (threadID: String, place: Int)? in
      let request = NSFetchRequest<Post>(entityName: "Post")
      request.predicate = NSPredicate(format: "postID == %@", argumentArray: [id])
      guard let post = try context.fetch(request).first, let thread = post.thread else {
        return nil
      }
      return (thread.threadID, Int(post.threadIndex))
    }
    guard let place else { return missing("post") }
    let page = ForumThread.pageCount(forPosts: place.place)
    return .redirect(
      "/threads/\(PagePath.part(place.threadID))?page=\(page)#post\(PagePath.part(id))")
  }

  private func missing(_ what: String) -> WebAnswer {
    .page(
      page(title: "No such \(what)", reason: "This \(what) is not stored. A sync may bring it."),
      status: 404)
  }

  private func threadCount(_ threads: ForumFeed.Threads) async throws -> Int {
    try await store.read { context in
      let request = NSFetchRequest<ForumThread>(entityName: "Thread")
      request.predicate = threads.predicate
      return try context.count(for: request)
    }
  }

  private static func pages(_ count: Int, _ page: Int) -> Int {
    max(ForumThread.pageCount(forPosts: count), page)
  }

  // MARK: Parts

  /// A page with live lists, and the state of the sync below.
  private func live(
    _ title: String, path: String = "", _ shown: [PageFeed.Shown],
    showsForeignImages: Bool = false,
    @MarkupBuilder content: () -> Markup
  ) async throws -> WebAnswer {
    let sync = try await feed.status(status)
    let all = shown + [sync]
    let states = all.map { "\($0.key)@\($0.state.revision)" }.joined(separator: ",")
    let markup = frame.page(
      title, path: path, events: "/events?lists=\(PagePath.part(states))", content: content
    ) {
      element(.ul, .id("status")) { rows(sync) }
      if refresh != nil { refreshForm(back: path) }
    }
    return .page(markup, showsForeignImages: showsForeignImages)
  }

  private func rows(_ shown: PageFeed.Shown) -> Markup {
    Markup(trusted: shown.state.rows.map(\.markup.source).joined())
  }

  @MarkupBuilder
  private func list(_ shown: PageFeed.Shown, empty: String) -> Markup {
    element(.ol, .id(shown.list), .class("rows")) { rows(shown) }
    element(.p, .class("empty")) { empty }
  }

  private func imagesForm(_ showsImages: Bool, back: String) -> Markup {
    form(to: "/images", back: back) {
      element(
        .button, .class("quiet"), Attribute("name", "show"),
        Attribute("value", showsImages ? "0" : "1")
      ) { showsImages ? "Do not load images from other sites" : "Load images from other sites" }
    }
  }

  private func refreshForm(back: String) -> Markup {
    form(to: "/refresh", back: back) { element(.button, .class("quiet")) { "Fetch now" } }
  }

  /// A form that leads back to the page it is on.
  private func form(
    to action: String, back: String, @MarkupBuilder content: () -> Markup
  ) -> Markup {
    element(.form, Attribute("method", "post"), Attribute("action", action)) {
      element(
        .input, Attribute("type", "hidden"), Attribute("name", "back"), Attribute("value", back))
      content()
    }
  }

  private func setImages(_ request: WebRequest) -> WebAnswer {
    .redirect(
      request.form["back"] ?? "/",
      cookies: [SiteCookie(Self.imagesCookie, request.form["show"] == "1" ? "1" : "0")])
  }

  private func events(_ request: WebRequest) -> WebAnswer {
    let shown = (request.query["lists"] ?? "").split(separator: ",").prefix(8).compactMap { text in
      let parts = text.split(separator: "@")
      return parts.count == 2 ? Int(parts[1]).map { (key: String(parts[0]), revision: $0) } : nil
    }
    return .events(shown)
  }

  private func styles() throws -> WebAnswer {
    guard let file = Bundle.module.url(forResource: "awful", withExtension: "css") else {
      throw CocoaError(.fileNoSuchFile)
    }
    return .file(try Data(contentsOf: file), contentType: "text/css; charset=utf-8")
  }
}
