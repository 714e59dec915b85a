public import CoreData
import Foundation
import OpenPersistenceKit

/// A search for words in the stored posts, on the store's index.
///
/// Words are found whatever their case and accents; `"quoted words"` are a phrase, `word*` a beginning, `OR` and `NOT` stand between words.
/// Any text is a search.
public struct PostSearch: Sendable, Hashable {
  /// Where to search.
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

  /// What is searched for.
  public let words: String
  /// Where to search.
  public let scope: Scope
  /// How many posts are on one page of the results.
  public static let pageSize = 50
  /// How many posts are ranked, those that were stored last: more than anyone reads, and few enough for an answer at once.
  public static let candidateLimit = 5_000

  /// Makes a search.
  public init(_ words: String, in scope: Scope = .everywhere) {
    self.words = words
    self.scope = scope
  }

  /// Whether there is nothing to search for: no word, but signs at most.
  public var isEmpty: Bool { TextQuery(words).isEmpty }

  /// One page of the posts, the most relevant first.
  ///
  /// - Parameters:
  ///   - page: The page, from 1.
  ///   - context: Where to read; call on its queue.
  /// - Returns: At most as many posts as are on a page, and whether there are more.
  /// - Throws: What the fetch throws.
  public func posts(
    page: Int = 1, in context: NSManagedObjectContext
  ) throws -> (posts: [FoundPost], hasMore: Bool) {
    if isEmpty { return ([], false) }
    let query = TextQuery(words)
    let request = NSFetchRequest<Post>(entityName: "Post")
    request.predicate = scopePredicate
    // Posts that are equally relevant, the newest first.
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
    // A store in memory has no index, and no order by relevance.
    let found = NSPredicate(search: query, in: "text")
    request.predicate = NSCompoundPredicate(
      andPredicateWithSubpredicates: [found] + (request.predicate.map { [$0] } ?? []))
    return try context.fetch(request)
  }

  /// The id of the stored post that a text is the number of; nil for other texts, and for posts that are not stored.
  ///
  /// - Parameter context: Where to read; call on its queue.
  /// - Throws: What the fetch throws.
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

/// A post that a search has found, apart from its context.
public struct FoundPost: Sendable, Equatable, Encodable {
  /// The site's id.
  public let postID: String
  /// The site's id of its thread; empty for a post whose thread is gone.
  public let threadID: String
  /// The place in its thread, from 1; 0 when no page told.
  public let place: Int
  /// The title of its thread.
  public let threadTitle: String
  /// The author's name; empty when no page told it.
  public let authorName: String
  /// When it was posted.
  public let date: Date?
  /// Some words around the first one that was found.
  public let excerpt: String

  /// How many characters of a text are shown, and how many of them before the word.
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
