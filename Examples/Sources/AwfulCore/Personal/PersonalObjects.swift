public import CoreData

/// A forum that the reader has chosen as a favourite.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class FavoriteForum: NSManagedObject {
  /// The site's id of the forum.
  @Managed public var forumID: String
  /// The place among the favourites, from 0.
  @Managed public var place: Int32
}

/// A thread that the reader does not want to see in lists.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class HiddenThread: NSManagedObject {
  /// The site's id of the thread.
  @Managed public var threadID: String
  /// The title that it had.
  @Managed public var title: String
  /// When it was hidden.
  @Managed public var hiddenAt: Date
}

/// A number of seen posts that the site has not been told yet.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class PendingMark: NSManagedObject {
  /// The site's id of the thread.
  @Managed public var threadID: String
  /// How many posts from the start the reader has seen; 0 marks the thread as never opened.
  @Managed public var seenPosts: Int32
}

/// A thread that the reader wants to have whole, and how much of it is there.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class SavedThread: NSManagedObject {
  /// The site's id of the thread.
  @Managed public var threadID: String
  /// The title that it had.
  @Managed public var title: String
  /// How far it is: the raw value of a `SavedThreadState`.
  @Managed public var state: String
  /// Why it stopped, in a sentence.
  @Managed public var problem: String?
  /// The page to fetch next, from 1.
  @Managed public var nextPage: Int32
  /// The number of pages; 0 before the first one was fetched.
  @Managed public var pageCount: Int32
  /// When the reader asked for it.
  @Managed public var askedAt: Date
}
