public import CoreData

/// A post of a thread.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class Post: NSManagedObject {
  /// The site's id.
  @Managed public var postID: String
  /// The body as markup, as the site sent it.
  @Managed public var innerHTML: String?
  /// The body without its markup, for searches; nil for a body that was not read yet.
  @Managed public var text: String?
  /// When it was posted.
  @Managed public var postDate: Date?
  /// The date as the site prints it.
  @Managed public var postDateRaw: String?
  /// The place in the thread, from 1; 0 when no page told.
  @Managed public var threadIndex: Int32
  /// Whether the reader may edit it.
  @Managed public var editable: Bool
  /// Whether its author is ignored by the reader.
  @Managed public var ignored: Bool
  /// The thread.
  @Managed public var thread: ForumThread?
  /// The author.
  @Managed public var author: User?

  /// Whether the reader has seen the post.
  public var beenSeen: Bool { threadIndex > 0 && threadIndex <= thread?.seenPosts ?? 0 }

  /// A request for the post of an id.
  public static func request(id: String) -> NSFetchRequest<Post> {
    let request = NSFetchRequest<Post>(entityName: "Post")
    request.predicate = NSPredicate(format: "postID == %@", argumentArray: [id])
    return request
  }
}
