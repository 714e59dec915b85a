public import CoreData
import Foundation
import OpenPersistenceKit

/// A full-text search of the stored posts, using the store's index.
///
/// Matching ignores case and diacritics. `"quoted words"` match a phrase, `word*` matches a prefix, and `OR` and `NOT` combine words. Every
/// text is a valid search.
public struct PostSearch: Sendable, Hashable {
  /// The scope of a search.
  public enum Scope: Sendable, Hashable {
    /// All posts.
    case everywhere
    /// The posts of bookmarked threads.
    case bookmarks
    /// The posts of a forum's threads.
    case forum(String)
    /// The posts of a thread.
    case thread(String)
  }

  /// The search text.
  public let words: String
  /// The scope of the search.
  public let scope: Scope
  /// The number of posts on a page of results.
  public static let pageSize = 50
  /// The number of most recently stored posts that are ranked: more than a reader looks through, and few enough for an immediate answer.
  public static let candidateLimit = 5_000

  /// Creates a search.
  public init(_ words: String, in scope: Scope = .everywhere) {
    self.words = words
    self.scope = scope
  }

  /// Whether the text contains no words, at most punctuation.
  public var isEmpty: Bool { TextQuery(words).isEmpty }

  /// Returns one page of posts, most relevant first.
  ///
  /// - Parameters:
  ///   - page: The page number, starting at 1.
  ///   - context: The context to read from. Call on its queue.
  /// - Returns: The posts, at most one page of them, and whether there are more.
  /// - Throws: Any error from the fetch.
  public func posts(
    page: Int = 1, in context: NSManagedObjectContext
  ) throws -> (posts: [FoundPost], hasMore: Bool) {
    if isEmpty { return ([], false) }
    let query = TextQuery(words)
    let request = NSFetchRequest<Post>(entityName: "Post")
    request.predicate = scopePredicate
    // Equally relevant posts are sorted by date, newest first.
    request.sortDescriptors = [
      NSSortDescriptor(key: "postDate", ascending: false),
      NSSortDescriptor(key: "postID", ascending: true),
    ]
    request.fetchOffset = (max(1, min(page, 1_000_000)) - 1) * Self.pageSize
    request.fetchLimit = Self.pageSize + 1
    request.relationshipKeyPathsForPrefetching = ["author", "thread"]
    let posts = try fetch(request, query, in: context)
    return (
      posts.prefix(Self.pageSize).map { FoundPost($0, query) }, posts.count > Self.pageSize
    )
  }

  private func fetch(
    _ request: NSFetchRequest<Post>, _ query: TextQuery, in context: NSManagedObjectContext
  ) throws -> [Post] {
    if context.persistentStoreCoordinator?.persistentStores.first?.url?.isFileURL == true {
      return try context.fetch(request, rankedBy: query, candidateLimit: Self.candidateLimit)
    }
    // An in-memory store has no index and no ranking by relevance.
    let found = NSPredicate(search: query, in: "text")
    request.predicate = NSCompoundPredicate(
      andPredicateWithSubpredicates: [found] + (request.predicate.map { [$0] } ?? []))
    return try context.fetch(request)
  }

  /// Returns the id of the stored post whose number is the text, or nil if the text is not a number or the post is not stored.
  ///
  /// - Parameter context: The context to read from. Call on its queue.
  /// - Throws: Any error from the fetch.
  public static func post(
    numbered text: String, in context: NSManagedObjectContext
  ) throws -> String? {
    let digits = text.trimmingCharacters(in: .whitespaces)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return try context.fetch(Post.request(id: digits)).first?.postID
  }

  private var scopePredicate: NSPredicate? {
    switch scope {
    case .everywhere: nil
    case .bookmarks: NSPredicate(format: "thread.bookmarked == YES", argumentArray: [])
    case .forum(let id): NSPredicate(format: "thread.forum.forumID == %@", argumentArray: [id])
    case .thread(let id): NSPredicate(format: "thread.threadID == %@", argumentArray: [id])
    }
  }
}

/// A post found by a search, as a value independent of its context.
public struct FoundPost: Sendable, Equatable, Encodable {
  /// The id on the site.
  public let postID: String
  /// The id of its thread on the site; empty if the thread no longer exists.
  public let threadID: String
  /// The place in its thread, starting at 1; 0 if no page has shown it.
  public let place: Int
  /// The title of its thread.
  public let threadTitle: String
  /// The author's name; empty if no page has shown it.
  public let authorName: String
  /// The date when it was posted.
  public let date: Date?
  /// An excerpt of the text around the first match.
  public let excerpt: String

  /// The length of an excerpt and of the part before the match, in characters.
  private static let excerptLength = 240
  private static let leadLength = 60

  init(_ post: Post, _ query: TextQuery) {
    postID = post.postID
    threadID = post.thread?.threadID ?? ""
    place = Int(post.threadIndex)
    threadTitle = post.thread?.title ?? ""
    authorName = post.author?.username ?? ""
    date = post.postDate
    excerpt = Self.excerpt(of: post.text ?? "", query)
  }

  private static func excerpt(of text: String, _ query: TextQuery) -> String {
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let words = query.text.split { !$0.isLetter && !$0.isNumber }
    let places = words.compactMap {
      line.range(of: $0, options: [.caseInsensitive, .diacriticInsensitive])?.lowerBound
    }
    guard let first = places.min() else { return String(line.prefix(excerptLength)) }
    let start =
      line.index(first, offsetBy: -leadLength, limitedBy: line.startIndex) ?? line.startIndex
    let piece = line[start...].prefix(excerptLength)
    return (start > line.startIndex ? "…" : "") + piece
      + (piece.endIndex < line.endIndex ? "…" : "")
  }
}
