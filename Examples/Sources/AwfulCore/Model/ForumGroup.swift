public import CoreData

/// A group of forums, at the top of the index.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class ForumGroup: NSManagedObject {
  /// The id on the site.
  @Managed public var groupID: String
  /// The name.
  @Managed public var name: String?
  /// The place in the index; -1 for a group that the index has not listed.
  @Managed public var index: Int32
  /// The forums.
  @Managed public var forums: Set<Forum>
}
