public import AwfulCore
import CoreData
import ForumClient
import ForumHTML
import ForumScraping
public import Foundation
public import WebPages
import StoreSharing

/// The pages of a forum reader: live views of everything in its store.
///
/// A value over shared state; safe to use from any thread.
public struct ForumPages: WebPageSource {
  private let store: StoreFeed
  private let parts: PageParts
  private let refresh: (@Sendable () async -> Void)?
  private let site: SiteConnection?
  private let base: URL?
  private let threads: ThreadListPages
  private let announcements: AnnouncementPages
  private let writing: WritingPages
  private let choices: ChoicePages
  private let settings: SettingsPage
  private let search: SearchPage
  private let messages: MessagePages
  private let members: MemberPages
  private let images: MemberImagePages

  private var feed: PageFeed { parts.feed }

  /// Creates the pages of a reader.
  ///
  /// - Parameters:
  ///   - store: The store of the forums, threads and posts.
  ///   - personal: The store of what the reader has written and chosen.
  ///   - lists: The lists that the pages show.
  ///   - status: The status of the sync.
  ///   - viewers: The programs that show the store; nil if this program has not joined them.
  ///   - base: The site's address, for links in posts; nil drops relative links.
  ///   - site: The connection to the site; nil if the program does not connect to it.
  ///   - refresh: A closure that fetches everything new on the site; nil if the program does not connect to it.
  public init(
    of store: ForumStore, personal: PersonalStore, lists: LiveLists, status: SyncStatus,
    viewers: StoreViewers? = nil, base: URL? = nil, site: SiteConnection? = nil,
    refresh: (@Sendable () async -> Void)? = nil
  ) {
    self.refresh = refresh
    self.site = site
    self.base = base
    self.store = StoreFeed(store)
    let pictures = site?.pictures ?? MemberPictures(of: store)
    let feed = PageFeed(
      feed: ForumFeed(self.store), personal: PersonalFeed(StoreFeed(personal)), lists: lists,
      base: base, pictures: pictures)
    parts = PageParts(feed: feed, status: status, canRefresh: refresh != nil)
    let messageDrafts = MessageDrafts(personal)
    writing = WritingPages(
      parts: parts, store: self.store, desk: DraftDesk(personal), messages: messageDrafts,
      outbox: site?.outbox, cleaner: feed.cleaner(showsImages: false))
    let actions = site?.actions ?? SiteActions(store: store, personal: personal)
    let bookmarks = PostBookmarks(store: store, personal: personal)
    choices = ChoicePages(
      parts: parts, store: self.store, bookmarks: bookmarks, personal: personal, actions: actions,
      saver: site?.saver)
    announcements = AnnouncementPages(parts: parts, actions: actions)
    threads = ThreadListPages(parts: parts, store: self.store, choices: choices)
    search = SearchPage(parts: parts, store: self.store, links: SiteLinks(base: base))
    settings = SettingsPage(
      parts: parts, store: store, personal: personal, viewers: viewers ?? StoreViewers(of: store),
      client: site?.client)
    messages = MessagePages(
      parts: parts, store: self.store, desk: site?.messages, drafts: messageDrafts)
    members = MemberPages(parts: parts, store: store, desk: site?.members)
    images = MemberImagePages(store: self.store, pictures: pictures)
  }

  /// Answers a request.
  ///
  /// - Throws: Any error from reading the store.
  public func answer(to request: WebRequest) async throws -> WebAnswer {
    do {
      return try await route(request)
    } catch let error as ForumStoreError where error.code == .notFound {
      return .page(page(title: "Not found", reason: error.message), status: 404)
    } catch let error as WritingError where error.code == .notLoggedIn {
      return .page(page(title: "Not logged in", reason: error.message), status: 403)
    } catch let error as WritingError where error.code == .onItsWay {
      return PageParts.refusal(error.message, status: 409)
    } catch let error where error is ClientError || error is ForumErrorPage || error is PageError {
      // The site cannot be reached, refuses the request, or responds with a page that cannot be read.
      return PageParts.refusal(PageParts.sentence(error), status: 502)
    }
  }

  private func route(_ request: WebRequest) async throws -> WebAnswer {
    let path = request.path
    switch (request.method, path.first, path.count) {
    case (.get, nil, _): return try await forums()
    case (.get, "threads", 2): return try await thread(path[1], request)
    case (.get, "posts", 2): return try await post(path[1])
    case (.get, "events", 1): return .events(request)
    case (.get, "site.css", 1): return try .file("awful.css", in: .module)
    case (.post, "refresh", 1):
      await refresh?()
      return .redirect(request.form["back"] ?? "/")
    default: break
    }
    if let answer = try await threads.answer(to: request) { return answer }
    if let answer = try await announcements.answer(to: request) { return answer }
    if let answer = try await writing.answer(to: request) { return answer }
    if let answer = try await choices.answer(to: request) { return answer }
    if let answer = try await search.answer(to: request) { return answer }
    if let answer = try await settings.answer(to: request) { return answer }
    if let answer = try await messages.answer(to: request) { return answer }
    if let answer = try await members.answer(to: request) { return answer }
    if let answer = try await images.answer(to: request) { return answer }
    return .page(
      page(title: "No such page", reason: "There is nothing at this address."), status: 404)
  }

  /// Returns the page for a problem.
  public func page(title: String, reason: String) -> Markup {
    PageParts.problem(title: title, reason: reason)
  }

  /// Returns the ids of the threads that open pages show.
  public func shownThreadIDs() async -> [String] { await feed.shownThreadIDs() }

  // MARK: Pages

  private func forums() async throws -> WebAnswer {
    let favorites = try await feed.favorites()
    let forums = try await feed.forums()
    let announcements = try await feed.announcementLinks()
    return try await parts.live("Forums", path: "/", [announcements, favorites, forums]) {
      element(.section, .class("announcements"), .label("Announcements")) {
        element(.h2) { "Announcements" }
        element(.ul, .id(announcements.list), .class("plain")) { announcements.rows }
      }
      element(.section, .class("favorites"), .label("Favorites")) {
        element(.h2) { "Favorites" }
        element(.ol, .id(favorites.list), .class("rows")) { favorites.rows }
        element(.p) { element(.a, .href("/favorites")) { "Arrange" } }
      }
      forums.markup(
        empty: "No forums are stored yet. Run awful sync, or run awful serve with --base-url.")
    }
  }

  private func thread(_ id: String, _ request: WebRequest) async throws -> WebAnswer {
    var problem: String?
    if try await known(id) == nil {
      problem = await fetching { try await $0.fetchPosts(ofThread: id, page: 1) }
    }
    guard let known = try await known(id) else { return PageParts.missing("thread", problem) }
    if request.query["page"] == "unread" { return try await unread(of: id, known) }
    let address = PostsAddress(ofThread: id, request)
    let showsImages = request.cookies[SettingsPage.imagesCookie] == "1"
    let heading = try await feed.heading(ofThread: id, page: address.page)
    func shownPosts() async throws -> ShownList {
      try await feed.posts(
        ofThread: id, address, showsImages: showsImages,
        hidesIgnored: MemberPages.hidesIgnored(request))
    }
    var posts = try await shownPosts()
    if posts.state.rows.isEmpty, address.authorID == nil {
      problem = await fetching { try await $0.fetchPosts(ofThread: id, page: address.page) }
      posts = try await shownPosts()
    }
    let up = known.forumID.map { "/forums/\(PagePath.part($0))" } ?? "/"
    let count = try await count(of: address, known)
    return try await parts.live(
      known.title.isEmpty ? "Thread" : known.title, path: address.text, [heading, posts],
      showsForeignImages: showsImages
    ) {
      Markup.up(up, "All threads")
      element(.ul, .id("heading"), .class("plain")) { heading.rows }
      if let problem { element(.p, .class("warn-text")) { problem } }
      address.folded
      posts.markup(
        empty: "No posts on this page are stored.",
        Attribute("data-seen", "/threads/\(PagePath.part(id))/seen"))
      address.links(count: Self.pages(count, address.page))
      SettingsPage.imagesForm(showsImages, back: address.text)
    }
  }

  /// Returns the number of posts for the pages of an address: the posts on the site, or the stored posts of one member.
  private func count(of address: PostsAddress, _ known: KnownThread) async throws -> Int {
    guard let authorID = address.authorID else { return known.count }
    return try await store.read { context in
      let request = NSFetchRequest<Post>(entityName: "Post")
      request.predicate = ForumFeed.posts(by: authorID, inThread: address.threadID)
      return try context.count(for: request)
    }
  }

  private func known(_ id: String) async throws -> KnownThread? {
    try await store.read { context in
      try context.fetch(ForumThread.request(id: id)).first.map {
        KnownThread(
          title: $0.title ?? "", forumID: $0.forum?.forumID, seen: Int($0.seenPosts),
          count: $0.postCount)
      }
    }
  }

  /// Fetches data that is not stored, if the program connects to the site.
  ///
  /// - Returns: The reason why the fetch failed; nil if it succeeded, or if there is no connection to the site.
  private func fetching(
    _ work: @Sendable (SiteConnection) async throws -> Void
  ) async -> String? {
    guard let site else { return nil }
    do {
      try await work(site)
      return nil
    } catch {
      return PageParts.sentence(error)
    }
  }

  /// The facts that a page needs before it shows a thread.
  private struct KnownThread: Sendable {
    let title: String
    let forumID: String?
    let seen: Int
    let count: Int
  }

  /// Redirects to the first post that the reader has not seen, or to the last post.
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
    let address = PostsAddress(ofThread: id, page: page, unreadFrom: place)
    return .redirect("\(address.text)\(place > 1 ? fragment : "")")
  }

  /// Redirects to a post in its thread.
  private func post(_ id: String) async throws -> WebAnswer {
    var problem: String?
    if try await place(ofPost: id) == nil {
      problem = await fetching { try await $0.fetchPage(ofPost: id) }
    }
    guard let place = try await place(ofPost: id) else { return PageParts.missing("post", problem) }
    let page = ForumThread.pageCount(forPosts: place.place)
    return .redirect(
      "/threads/\(PagePath.part(place.threadID))?page=\(page)#post\(PagePath.part(id))")
  }

  private func place(ofPost id: String) async throws -> (threadID: String, place: Int)? {
    try await store.read { context in
      guard let post = try context.fetch(Post.request(id: id)).first, let thread = post.thread
      else {
        return nil
      }
      return (thread.threadID, Int(post.threadIndex))
    }
  }

  private static func pages(_ count: Int, _ page: Int) -> Int {
    max(ForumThread.pageCount(forPosts: count), page)
  }
}
