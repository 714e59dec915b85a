public import CoreData

/// A user of the site, as last seen beside a post or in a list.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class User: NSManagedObject {
  /// The site's id.
  @Managed public var userID: String
  /// The name.
  @Managed public var username: String?
  /// Whether the user is an administrator.
  @Managed public var administrator: Bool
  /// Whether the user is a moderator.
  @Managed public var moderator: Bool
  /// Whether the user takes private messages.
  @Managed public var canReceivePrivateMessages: Bool
  /// Further class names of the author's name, with blanks between.
  @Managed public var authorClasses: String?
  /// The custom title as markup.
  @Managed public var customTitleHTML: String?
  /// The day the user registered.
  @Managed public var regdate: Date?
  /// The date as the site prints it.
  @Managed public var regdateRaw: String?
  /// The posts.
  @Managed public var posts: Set<Post>
  /// The threads.
  @Managed public var threads: Set<ForumThread>
  /// The announcements.
  @Managed public var announcements: Set<Announcement>
  /// The private messages that the user wrote.
  @Managed public var sentMessages: Set<PrivateMessage>
  /// The private messages that the user got.
  @Managed public var receivedMessages: Set<PrivateMessage>
  /// What the user tells about itself; nil before the profile was read.
  @Managed public var profile: Profile?

  /// A request for the user of an id.
  public static func request(id: String) -> NSFetchRequest<User> {
    let request = NSFetchRequest<User>(entityName: "User")
    request.predicate = NSPredicate(format: "userID == %@", argumentArray: [id])
    return request
  }
}
