public import CoreData

/// A forum, in a group and optionally below another forum.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class Forum: NSManagedObject {
  /// The id on the site.
  @Managed public var forumID: String
  /// The name.
  @Managed public var name: String?
  /// The place in the index; -1 for a forum that the index has not listed.
  @Managed public var index: Int32
  /// Whether readers can start threads in it.
  @Managed public var canPost: Bool
  /// Whether the index listed the forum earlier but no longer does.
  @Managed public var isHidden: Bool
  /// The date when the forum was last fetched from the site.
  @Managed public var lastRefresh: Date?
  /// The group.
  @Managed public var group: ForumGroup?
  /// The parent forum.
  @Managed public var parentForum: Forum?
  /// The direct child forums.
  @Managed public var childForums: Set<Forum>
  /// The reader's decisions about the forum, created together with it.
  @Managed public var metadata: ForumMetadata?
  /// The threads.
  @Managed public var threads: Set<ForumThread>

  /// Creates the metadata that every forum has from the start.
  override public func awakeFromInsert() {
    super.awakeFromInsert()
    if let managedObjectContext { metadata = ForumMetadata(context: managedObjectContext) }
  }

  /// Returns a fetch request for the forum with an id.
  public static func request(id: String) -> NSFetchRequest<Forum> {
    let request = NSFetchRequest<Forum>(entityName: "Forum")
    request.predicate = NSPredicate(format: "forumID == %@", argumentArray: [id])
    return request
  }
}
