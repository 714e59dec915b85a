import CoreData
public import Foundation
import OpenPersistenceKit

/// A post that the reader has bookmarked, as a value independent of its context.
public struct PostBookmark: Sendable, Equatable, Encodable {
  /// The post's id on the site.
  public let postID: String
  /// The id of the post's thread on the site.
  public let threadID: String
  /// The title of the thread when the reader bookmarked the post.
  public let threadTitle: String
  /// The name of the post's author.
  public let authorName: String
  /// The beginning of the post's text when the reader bookmarked it.
  public let excerpt: String
  /// The date when the reader bookmarked the post.
  public let bookmarkedAt: Date
}

/// The posts that the reader has bookmarked. The site does not have bookmarks for posts. Pruning keeps the threads of these posts.
///
/// A value over the stores; safe to use from any thread. Each call is one save.
public struct PostBookmarks: Sendable {
  private let store: ForumStore
  private let personal: PersonalStore

  /// The maximum length of an excerpt, in characters.
  private static let excerptLength = 240

  /// Creates the list of bookmarked posts in two stores.
  ///
  /// - Parameters:
  ///   - store: The store of the site's pages.
  ///   - personal: The store of the bookmarks.
  public init(store: ForumStore, personal: PersonalStore) {
    self.store = store
    self.personal = personal
  }

  /// Returns the bookmarked posts, most recent bookmark first.
  public func rows() async throws -> [PostBookmark] {
    try await personal.performBackgroundTask { try Self.rows(in: $0) }
  }

  static func rows(in context: NSManagedObjectContext) throws -> [PostBookmark] {
    let request = NSFetchRequest<BookmarkedPost>(entityName: "BookmarkedPost")
    request.sortDescriptors = [
      NSSortDescriptor(key: "bookmarkedAt", ascending: false),
      NSSortDescriptor(key: "postID", ascending: true),
    ]
    return try context.fetch(request).map { PostBookmark($0) }
  }

  /// Bookmarks a stored post. Bookmarking the post again changes nothing.
  ///
  /// - Parameters:
  ///   - postID: The post's id.
  ///   - instant: The current date.
  /// - Throws: `ForumStoreError` with code `.notFound` if the post is not stored, or any error from the stores.
  public func add(_ postID: String, at instant: Date = Date()) async throws {
    let length = Self.excerptLength
    let found = try await store.performBackgroundTask { context -> PostBookmark? in
      guard let post = try context.fetch(Post.request(id: postID)).first, let thread = post.thread
      else { return nil }
      let words = (post.text ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return PostBookmark(
        postID: postID, threadID: thread.threadID, threadTitle: thread.title ?? "",
        authorName: post.author?.username ?? "",
        excerpt: words.count > length ? "\(words.prefix(length))…" : words, bookmarkedAt: instant)
    }
    guard let found else { throw ForumStoreError.missing("post", postID) }
    try await personal.performBackgroundTask { context in
      let request = PersonalStore.request(BookmarkedPost.self, "postID", postID)
      guard try context.count(for: request) == 0 else { return }
      let bookmark = BookmarkedPost(context: context)
      bookmark.postID = found.postID
      bookmark.threadID = found.threadID
      bookmark.threadTitle = found.threadTitle
      bookmark.authorName = found.authorName
      bookmark.excerpt = found.excerpt
      bookmark.bookmarkedAt = found.bookmarkedAt
    }
  }

  /// Removes the bookmark of a post.
  public func remove(_ postID: String) async throws {
    try await personal.performBackgroundTask { context in
      let request = PersonalStore.request(BookmarkedPost.self, "postID", postID)
      try context.fetch(request).forEach(context.delete)
    }
  }
}

extension PersonalStore {
  /// Returns the ids of what pruning keeps: the saved threads and the bookmarked posts.
  public func keptIDs() async throws -> (threads: [String], posts: [String]) {
    try await performBackgroundTask { context in
      (
        threads: try SavedThreads.rows(in: context).map(\.threadID),
        posts: try PostBookmarks.rows(in: context).map(\.postID)
      )
    }
  }
}

extension PostBookmark {
  /// Creates a row from a bookmarked post. Call this initializer on the queue of its context.
  init(_ post: BookmarkedPost) {
    postID = post.postID
    threadID = post.threadID
    threadTitle = post.threadTitle
    authorName = post.authorName
    excerpt = post.excerpt
    bookmarkedAt = post.bookmarkedAt
  }
}
