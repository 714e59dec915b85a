public import CoreData

/// The reader's decisions about a forum, separate from the site's data about it.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class ForumMetadata: NSManagedObject {
  /// Whether it is a favourite.
  @Managed public var favorite: Bool
  /// The place among the favourites; -1 for a forum that is not a favourite.
  @Managed public var favoriteIndex: Int32
  /// Whether the list shows its child forums.
  @Managed public var showsChildrenInForumList: Bool
  /// Whether the list shows it.
  @Managed public var visibleInForumList: Bool
  /// The forum.
  @Managed public var forum: Forum?
}
