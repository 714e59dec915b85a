import AwfulCore
import CoreData
import ForumHTML
import Foundation
import WebPages

/// The live lists of a forum reader's pages.
///
/// A value over shared state; usable anywhere.
struct ForumFeed: Sendable {
  /// Which threads a page lists.
  enum Threads: Sendable, Hashable {
    case forum(String)
    case bookmarks

    fileprivate var predicate: NSPredicate {
      switch self {
      case .forum(let id): NSPredicate(format: "forum.forumID == %@", argumentArray: [id])
      case .bookmarks: NSPredicate(format: "bookmarked == YES", argumentArray: [])
      }
    }

    fileprivate var key: String {
      switch self {
      case .forum(let id): "threads/\(id)"
      case .bookmarks: "bookmarks"
      }
    }
  }

  let store: StoreFeed
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

  /// The forums in their groups.
  func forums() async throws -> Shown {
    try await show("forums") { [store] in
      LiveList("forums") {
        store.changes(ofEntities: ["Forum", "ForumGroup", "Thread"])
      } load: {
        try await store.read { ForumRows.rows(try ForumLists.forums(in: $0)) }
      }
    }
  }

  /// One page of a list of threads.
  func threads(_ threads: Threads, page: Int) async throws -> Shown {
    try await show("\(threads.key)/\(page)") { [store] in
      let request: @Sendable () -> NSFetchRequest<ForumThread> = {
        let request = NSFetchRequest<ForumThread>(entityName: "Thread")
        request.predicate = threads.predicate
        request.sortDescriptors = [
          NSSortDescriptor(key: "stickyIndex", ascending: true),
          NSSortDescriptor(key: "lastPostDate", ascending: false),
          NSSortDescriptor(key: "threadID", ascending: true),
        ]
        request.fetchOffset = (page - 1) * ForumThread.postsPerPage
        request.fetchLimit = ForumThread.postsPerPage
        request.relationshipKeyPathsForPrefetching = ["author"]
        return request
      }
      return LiveList("threads") {
        store.changes(of: request)
      } load: {
        try await store.read { context in
          try context.fetch(request()).map { ThreadRows.row(ThreadRow($0, storedPostCount: 0)) }
        }
      }
    }
  }

  /// The line above the posts of a thread: its title, and its pages.
  func heading(ofThread id: String, page: Int) async throws -> Shown {
    try await show("heading/\(id)/\(page)") { [store] in
      let request: @Sendable () -> NSFetchRequest<ForumThread> = {
        let request = NSFetchRequest<ForumThread>(entityName: "Thread")
        request.predicate = NSPredicate(format: "threadID == %@", argumentArray: [id])
        request.sortDescriptors = [NSSortDescriptor(key: "threadID", ascending: true)]
        return request
      }
      return LiveList("heading") {
        store.changes(of: request)
      } load: {
        try await store.read { context in
          try context.fetch(request()).map {
            ThreadRows.heading(ThreadRow($0, storedPostCount: 0), page: page)
          }
        }
      }
    }
  }

  /// One page of the posts of a thread.
  func posts(ofThread id: String, page: Int, showsImages: Bool) async throws -> Shown {
    let images: HTMLCleaner.Images = showsImages ? .shown : .linked
    return try await show("posts/\(id)/\(page)/\(showsImages)") { [store, base] in
      let links = SiteLinks(base: base)
      let cleaner = HTMLCleaner(base: base, images: images) { links.path(for: $0) }
      let request: @Sendable () -> NSFetchRequest<Post> = {
        let size = ForumThread.postsPerPage
        let first = (page - 1) * size
        let request = NSFetchRequest<Post>(entityName: "Post")
        request.predicate = NSPredicate(
          format: "thread.threadID == %@ AND threadIndex > %@ AND threadIndex <= %@",
          argumentArray: [id, first as NSNumber, (first + size) as NSNumber])
        request.sortDescriptors = [
          NSSortDescriptor(key: "threadIndex", ascending: true),
          NSSortDescriptor(key: "postID", ascending: true),
        ]
        request.relationshipKeyPathsForPrefetching = ["author"]
        return request
      }
      return LiveList("posts") {
        store.changes(of: request)
      } load: {
        let rows = try await store.read { context in
          try context.fetch(request()).map { PostRow($0) }
        }
        return rows.map { PostRows.row($0, cleaner) }
      }
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
