public import CoreData

/// An announcement of the site. Announcements have no ids; their places in the lists identify them.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class Announcement: NSManagedObject {
  /// The title.
  @Managed public var title: String
  /// The body as markup; empty until it is read.
  @Managed public var bodyHTML: String
  /// The author's name.
  @Managed public var authorUsername: String
  /// The author's custom title as markup.
  @Managed public var authorCustomTitleHTML: String
  /// The date when it was posted.
  @Managed public var postedDate: Date?
  /// The date as the site prints it.
  @Managed public var postedDateRaw: String?
  /// Whether the reader has seen it.
  @Managed public var hasBeenSeen: Bool
  /// The place in the lists, starting at 0.
  @Managed public var listIndex: Int32
  /// The author.
  @Managed public var author: User?
  /// The icon.
  @Managed public var threadTag: ThreadTag?
}
