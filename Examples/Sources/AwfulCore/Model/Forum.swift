public import CoreData

/// A forum, in a group and perhaps below another forum.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class Forum: NSManagedObject {
  /// The site's id.
  @Managed public var forumID: String
  /// The name.
  @Managed public var name: String?
  /// The place in the index; -1 for what the index did not list.
  @Managed public var index: Int32
  /// Whether threads may be begun here.
  @Managed public var canPost: Bool
  /// Whether the index, which once listed the forum, does so no more.
  @Managed public var isHidden: Bool
  /// When the site was last asked for it.
  @Managed public var lastRefresh: Date?
  /// The group.
  @Managed public var group: ForumGroup?
  /// The forum above.
  @Managed public var parentForum: Forum?
  /// The forums directly below.
  @Managed public var childForums: Set<Forum>
  /// The reader's decisions about it; made with the forum.
  @Managed public var metadata: ForumMetadata?
  /// The threads.
  @Managed public var threads: Set<ForumThread>

  /// Every forum has its metadata from the start.
  override public func awakeFromInsert() {
    super.awakeFromInsert()
    if let managedObjectContext { metadata = ForumMetadata(context: managedObjectContext) }
  }

  /// A request for the forum of an id.
  public static func request(id: String) -> NSFetchRequest<Forum> {
    let request = NSFetchRequest<Forum>(entityName: "Forum")
    request.predicate = NSPredicate(format: "forumID == %@", argumentArray: [id])
    return request
  }
}
