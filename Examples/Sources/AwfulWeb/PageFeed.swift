import AwfulCore
import ForumHTML
import Foundation
import WebPages
import StoreSharing

/// The live lists of a forum reader's pages, with rows as markup.
///
/// A value over shared state; safe to use from any thread.
struct PageFeed: Sendable {
  let feed: ForumFeed
  let personal: PersonalFeed
  let lists: LiveLists
  /// The base address of relative links in posts.
  let base: URL?
  /// The members' avatars and pictures.
  let pictures: MemberPictures

  func show<Row: Sendable>(
    _ rows: FollowedRows<Row>, as name: String, key: String,
    _ markup: @escaping @Sendable ([Row]) -> [LiveRow]
  ) async throws -> ShownList {
    try await lists.show(key) {
      LiveList(name, changes: rows.changes) { markup(try await rows.load()) }
    }
  }

  /// Returns the forums in their groups.
  func forums() async throws -> ShownList {
    try await show(feed.forums, as: "forums", key: "forums") { ForumRows.rows($0) }
  }

  /// Returns the announcements above the list of forums.
  func announcementLinks() async throws -> ShownList {
    try await show(feed.announcements, as: "announcements", key: "announcements/links") {
      $0.map { AnnouncementRows.link($0) }
    }
  }

  /// Returns the announcements with their texts.
  func announcements(showsImages: Bool) async throws -> ShownList {
    let cleaner = cleaner(showsImages: showsImages)
    return try await show(
      feed.announcements, as: "announcements", key: "announcements/\(showsImages)"
    ) { $0.map { AnnouncementRows.row($0, cleaner) } }
  }

  /// Returns the favourite forums for the forum list.
  func favorites() async throws -> ShownList {
    try await show(favoriteForums, as: "favorites", key: "favorites") {
      $0.map { ForumRows.favorite($0) }
    }
  }

  /// Returns the favourite forums, with buttons that move them.
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

  /// Returns the bookmarked posts.
  func bookmarkedPosts() async throws -> ShownList {
    try await show(personal.bookmarkedPosts, as: "bookmarked", key: "bookmarked") {
      $0.map { ChoiceRows.bookmarked($0) }
    }
  }

  /// Returns the hidden threads.
  func hiddenThreads() async throws -> ShownList {
    try await show(personal.hiddenThreads, as: "hidden", key: "hidden") {
      $0.map { ChoiceRows.hidden($0) }
    }
  }

  /// Returns the threads that are saved for later.
  func savedThreads() async throws -> ShownList {
    try await show(personal.savedThreads, as: "saved", key: "saved") {
      $0.map { ChoiceRows.saved($0) }
    }
  }

  /// Returns the drafts.
  func drafts() async throws -> ShownList {
    try await show(personal.drafts, as: "drafts", key: "drafts") { $0.map { DraftRows.row($0) } }
  }

  /// Returns the threads for an address. Omits hidden threads, except from the bookmarks, which the reader has chosen.
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

  /// Returns the line above a thread's posts, with the title and the pages.
  func heading(ofThread id: String, page: Int) async throws -> ShownList {
    let key = "\(Self.headingKey)\(PagePath.part(id))/\(page)"
    return try await show(feed.thread(id), as: "heading", key: key) {
      $0.map { ThreadRows.heading($0, page: page) }
    }
  }

  /// The beginning of the keys of lines above a thread's posts.
  private static let headingKey = "heading/"

  /// Returns the ids of the threads that open pages show.
  func shownThreadIDs() async -> [String] {
    await lists.shownKeys.compactMap { key in
      guard key.hasPrefix(Self.headingKey) else { return nil }
      return key.dropFirst(Self.headingKey.count).split(separator: "/").first.flatMap {
        String($0).removingPercentEncoding
      }
    }
  }

  /// Returns a cleaner for the site's markup that turns the site's links into links between stored pages.
  func cleaner(showsImages: Bool) -> HTMLCleaner {
    let links = SiteLinks(base: base)
    return HTMLCleaner(base: base, images: showsImages ? .shown : .linked) { links.path(for: $0) }
  }

  /// Returns the posts for an address.
  func posts(
    ofThread id: String, _ address: PostsAddress, showsImages: Bool, hidesIgnored: Bool
  ) async throws -> ShownList {
    let cleaner = cleaner(showsImages: showsImages)
    let listed =
      address.authorID.map { feed.posts(by: $0, inThread: id, page: address.page) }
      ?? feed.posts(ofThread: id, page: address.page)
    let posts = listed.joined(with: personal.bookmarkedPosts) { posts, bookmarks in
      let ids = Set(bookmarks.map(\.postID))
      return posts.map { MarkedPost(post: $0, isBookmarked: ids.contains($0.postID)) }
    }
    let first = address.firstPlace
    let pictures = pictures
    return try await show(
      posts, as: "posts",
      key: "posts/\(PagePath.part(id))/\(address.key)/\(showsImages)/\(hidesIgnored)"
    ) {
      $0.filter { marked in
        let post = marked.post
        return (!hidesIgnored || !post.isIgnored) && (post.place >= first || post.place == 0)
      }
      .map {
        PostRows.row(
          $0.post, ofThread: id, isBookmarked: $0.isBookmarked, pictures: pictures, cleaner)
      }
    }
  }

  /// A post, and whether the reader has bookmarked it.
  private struct MarkedPost: Sendable {
    let post: PostRow
    let isBookmarked: Bool
  }

  /// Returns the result of the last sync.
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
