public import CoreData

/// What the reader decides about a forum, apart from what the site says about it.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class ForumMetadata: NSManagedObject {
  /// Whether it is a favourite.
  @Managed public var favorite: Bool
  /// The place among the favourites, -1 for none.
  @Managed public var favoriteIndex: Int32
  /// Whether the forums below are shown in the list.
  @Managed public var showsChildrenInForumList: Bool
  /// Whether it is shown in the list.
  @Managed public var visibleInForumList: Bool
  /// The forum.
  @Managed public var forum: Forum?
}
