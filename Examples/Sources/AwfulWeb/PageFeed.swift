import AwfulCore
import ForumHTML
import Foundation
import WebPages
import StoreSharing

/// The live lists of a forum reader's pages: the rows of its views as markup.
///
/// A value over shared state; usable anywhere.
struct PageFeed: Sendable {
  let feed: ForumFeed
  let personal: PersonalFeed
  let lists: LiveLists
  /// Where relative links of posts lead.
  let base: URL?

  func show<Row: Sendable>(
    _ rows: FollowedRows<Row>, as name: String, key: String,
    _ markup: @escaping @Sendable ([Row]) -> [LiveRow]
  ) async throws -> ShownList {
    try await lists.show(key) {
      LiveList(name, changes: rows.changes) { markup(try await rows.load()) }
    }
  }

  /// The forums in their groups.
  func forums() async throws -> ShownList {
    try await show(feed.forums, as: "forums", key: "forums") { ForumRows.rows($0) }
  }

  /// The favourite forums, as the list of forums shows them.
  func favorites() async throws -> ShownList {
    try await show(favoriteForums, as: "favorites", key: "favorites") {
      $0.map { ForumRows.favorite($0) }
    }
  }

  /// The favourite forums, with buttons that move them.
  func favoritesToArrange() async throws -> ShownList {
    try await show(favoriteForums, as: "favorites", key: "favorites/arranging") {
      $0.map { ChoiceRows.favorite($0) }
    }
  }

  private var favoriteForums: FollowedRows<ForumRow> {
    feed.forums.joined(with: personal.favorites) { forums, favorites in
      let known = Dictionary(
        forums.map { ($0.forumID, $0) }, uniquingKeysWith: { one, _ in one })
      return favorites.compactMap { known[$0] }
    }
  }

  /// The hidden threads.
  func hiddenThreads() async throws -> ShownList {
    try await show(personal.hiddenThreads, as: "hidden", key: "hidden") {
      $0.map { ChoiceRows.hidden($0) }
    }
  }

  /// The threads that are fetched for later.
  func savedThreads() async throws -> ShownList {
    try await show(personal.savedThreads, as: "saved", key: "saved") {
      $0.map { ChoiceRows.saved($0) }
    }
  }

  /// The drafts.
  func drafts() async throws -> ShownList {
    try await show(personal.drafts, as: "drafts", key: "drafts") { $0.map { DraftRows.row($0) } }
  }

  /// The threads of an address. Hidden ones are left out, but for bookmarks, which the reader has chosen.
  func threads(
    _ threads: ForumFeed.Threads, _ address: ThreadListAddress
  ) async throws -> ShownList {
    let key =
      switch threads {
      case .forum(let id): "threads/\(PagePath.part(id))/\(address.key)"
      case .unlisted(let id): "unlisted/\(PagePath.part(id))/\(address.key)"
      case .bookmarks: "bookmarks/\(address.key)"
      }
    let listed = feed.threads(
      threads, page: address.span.page, span: address.span.count,
      arrangement: address.arrangement)
    let shown = threads == .bookmarks ? listed : personal.withoutHidden(listed)
    return try await show(shown, as: "threads", key: key) { $0.map { ThreadRows.row($0) } }
  }

  /// The line above the posts of a thread: its title, and its pages.
  func heading(ofThread id: String, page: Int) async throws -> ShownList {
    try await show(feed.thread(id), as: "heading", key: "heading/\(id)/\(page)") {
      $0.map { ThreadRows.heading($0, page: page) }
    }
  }

  /// What cleans the site's markup, with links between stored pages.
  func cleaner(showsImages: Bool) -> HTMLCleaner {
    let links = SiteLinks(base: base)
    return HTMLCleaner(base: base, images: showsImages ? .shown : .linked) { links.path(for: $0) }
  }

  /// The posts of an address.
  func posts(
    ofThread id: String, _ address: PostsAddress, showsImages: Bool, hidesIgnored: Bool
  ) async throws -> ShownList {
    let cleaner = cleaner(showsImages: showsImages)
    let posts =
      address.authorID.map { feed.posts(by: $0, inThread: id, page: address.page) }
      ?? feed.posts(ofThread: id, page: address.page)
    let first = address.firstPlace
    return try await show(
      posts, as: "posts",
      key: "posts/\(PagePath.part(id))/\(address.key)/\(showsImages)/\(hidesIgnored)"
    ) {
      $0.filter { (!hidesIgnored || !$0.isIgnored) && ($0.place >= first || $0.place == 0) }
        .map { PostRows.row($0, ofThread: id, cleaner) }
    }
  }

  /// What the last sync came to.
  func status(_ sync: SyncStatus) async throws -> ShownList {
    try await lists.show("status") {
      LiveList("status") {
        sync.changes()
      } load: {
        [await sync.row]
      }
    }
  }
}
