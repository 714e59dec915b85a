import AwfulCore
import ForumHTML
import Foundation
import WebPages

/// The live lists of a forum reader's pages: the rows of its views as markup.
///
/// A value over shared state; usable anywhere.
struct PageFeed: Sendable {
  let feed: ForumFeed
  let lists: LiveLists
  /// Where relative links of posts lead.
  let base: URL?

  /// A list, and the key of its event stream.
  struct Shown: Sendable {
    let key: String
    /// The id of the list's element.
    let list: String
    let state: LiveList.State
  }

  private func show(_ key: String, _ make: @Sendable () -> LiveList) async throws -> Shown {
    let list = await lists.list(key, make)
    return Shown(key: key, list: list.name, state: try await list.state())
  }

  private func show<Row: Sendable>(
    _ rows: FollowedRows<Row>, as name: String, key: String,
    _ markup: @escaping @Sendable ([Row]) -> [LiveRow]
  ) async throws -> Shown {
    try await show(key) { LiveList(name, changes: rows.changes) { markup(try await rows.load()) } }
  }

  /// The forums in their groups.
  func forums() async throws -> Shown {
    try await show(feed.forums, as: "forums", key: "forums") { ForumRows.rows($0) }
  }

  /// One page of a list of threads.
  func threads(_ threads: ForumFeed.Threads, page: Int) async throws -> Shown {
    let key =
      switch threads {
      case .forum(let id): "threads/\(id)/\(page)"
      case .bookmarks: "bookmarks/\(page)"
      }
    return try await show(feed.threads(threads, page: page), as: "threads", key: key) {
      $0.map { ThreadRows.row($0) }
    }
  }

  /// The line above the posts of a thread: its title, and its pages.
  func heading(ofThread id: String, page: Int) async throws -> Shown {
    try await show(feed.thread(id), as: "heading", key: "heading/\(id)/\(page)") {
      $0.map { ThreadRows.heading($0, page: page) }
    }
  }

  /// One page of the posts of a thread.
  func posts(ofThread id: String, page: Int, showsImages: Bool) async throws -> Shown {
    let links = SiteLinks(base: base)
    let cleaner = HTMLCleaner(base: base, images: showsImages ? .shown : .linked) {
      links.path(for: $0)
    }
    return try await show(
      feed.posts(ofThread: id, page: page), as: "posts", key: "posts/\(id)/\(page)/\(showsImages)"
    ) {
      $0.map { PostRows.row($0, cleaner) }
    }
  }

  /// What the last sync came to.
  func status(_ sync: SyncStatus) async throws -> Shown {
    try await show("status") {
      LiveList("status") {
        sync.changes()
      } load: {
        [await sync.row]
      }
    }
  }
}
