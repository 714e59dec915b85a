public import CoreData

/// The icon of a thread, an announcement or a private message.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class ThreadTag: NSManagedObject {
  /// The image's file name without its extension.
  @Managed public var imageName: String?
  /// The id on the site; nil for icons that lists show without one.
  @Managed public var threadTagID: String?
  /// The threads.
  @Managed public var threads: Set<ForumThread>
  /// The threads that use it as their second icon.
  @Managed public var secondaryThreads: Set<ForumThread>
  /// The announcements.
  @Managed public var announcements: Set<Announcement>
  /// The private messages.
  @Managed public var messages: Set<PrivateMessage>
}
