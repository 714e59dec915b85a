public import CoreData

/// A post of a thread.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class Post: NSManagedObject {
  /// The id on the site.
  @Managed public var postID: String
  /// The body as markup, as the site sent it.
  @Managed public var innerHTML: String?
  /// The body without its markup, for searches; nil until the body is read.
  @Managed public var text: String?
  /// The date when it was posted.
  @Managed public var postDate: Date?
  /// The date as the site prints it.
  @Managed public var postDateRaw: String?
  /// The place in the thread, starting at 1; 0 if no page has shown it.
  @Managed public var threadIndex: Int32
  /// Whether the reader may edit it.
  @Managed public var editable: Bool
  /// Whether the reader ignores its author.
  @Managed public var ignored: Bool
  /// The thread.
  @Managed public var thread: ForumThread?
  /// The author.
  @Managed public var author: User?

  /// Whether the reader has seen the post.
  public var beenSeen: Bool { threadIndex > 0 && threadIndex <= thread?.seenPosts ?? 0 }

  /// Returns a fetch request for the post with an id.
  public static func request(id: String) -> NSFetchRequest<Post> {
    let request = NSFetchRequest<Post>(entityName: "Post")
    request.predicate = NSPredicate(format: "postID == %@", argumentArray: [id])
    return request
  }
}
