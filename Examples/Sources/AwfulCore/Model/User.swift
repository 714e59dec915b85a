public import CoreData

/// A user of the site, as last seen beside a post or in a list.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class User: NSManagedObject {
  /// The id on the site.
  @Managed public var userID: String
  /// The name.
  @Managed public var username: String?
  /// Whether the user is an administrator.
  @Managed public var administrator: Bool
  /// Whether the user is a moderator.
  @Managed public var moderator: Bool
  /// Whether the user accepts private messages.
  @Managed public var canReceivePrivateMessages: Bool
  /// The other class names of the author's name, separated by spaces.
  @Managed public var authorClasses: String?
  /// The custom title as markup.
  @Managed public var customTitleHTML: String?
  /// The registration date.
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
  /// The private messages that the user received.
  @Managed public var receivedMessages: Set<PrivateMessage>
  /// The user's profile; nil until it is read.
  @Managed public var profile: Profile?

  /// Returns a fetch request for the user with an id.
  public static func request(id: String) -> NSFetchRequest<User> {
    let request = NSFetchRequest<User>(entityName: "User")
    request.predicate = NSPredicate(format: "userID == %@", argumentArray: [id])
    return request
  }
}
