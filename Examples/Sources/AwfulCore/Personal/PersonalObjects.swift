public import CoreData

/// A forum that the reader has chosen as a favourite.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class FavoriteForum: NSManagedObject {
  /// The forum's id on the site.
  @Managed public var forumID: String
  /// The place among the favourites, starting at 0.
  @Managed public var place: Int32
}

/// A post that the reader has bookmarked.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class BookmarkedPost: NSManagedObject {
  /// The post's id on the site.
  @Managed public var postID: String
  /// The id of the post's thread on the site.
  @Managed public var threadID: String
  /// The title of the thread when the reader bookmarked the post.
  @Managed public var threadTitle: String
  /// The name of the post's author.
  @Managed public var authorName: String
  /// The beginning of the post's text.
  @Managed public var excerpt: String
  /// The date when the reader bookmarked the post.
  @Managed public var bookmarkedAt: Date
}

/// A thread that the reader has hidden from lists.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class HiddenThread: NSManagedObject {
  /// The thread's id on the site.
  @Managed public var threadID: String
  /// The title of the thread when it was hidden.
  @Managed public var title: String
  /// The date when it was hidden.
  @Managed public var hiddenAt: Date
}

/// A number of seen posts that has not been sent to the site yet.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class PendingMark: NSManagedObject {
  /// The thread's id on the site.
  @Managed public var threadID: String
  /// The number of posts, counted from the first, that the reader has seen; 0 marks the thread as never opened.
  @Managed public var seenPosts: Int32
}

/// The last number of seen posts of a thread that the site has accepted. It is kept for a short time, because pages that were requested
/// earlier contain an older number.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class AcceptedMark: NSManagedObject {
  /// The thread's id on the site.
  @Managed public var threadID: String
  /// The number of posts, counted from the first, that the reader has seen; 0 marks the thread as never opened.
  @Managed public var seenPosts: Int32
  /// The date when the site accepted the number, according to the clock of this machine.
  @Managed public var acceptedAt: Date
}

/// A thread that the reader saves for later, completely or in part, and its progress.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class SavedThread: NSManagedObject {
  /// The thread's id on the site.
  @Managed public var threadID: String
  /// The title of the thread when the reader saved it.
  @Managed public var title: String
  /// The progress: the raw value of a `SavedThreadState`.
  @Managed public var state: String
  /// The reason why fetching stopped, in a sentence.
  @Managed public var problem: String?
  /// The number of the next page to fetch, starting at 1.
  @Managed public var nextPage: Int32
  /// The number of pages; 0 until the first page is fetched.
  @Managed public var pageCount: Int32
  /// The number of the last page to fetch; 0 to fetch all pages.
  @Managed public var lastPage: Int32
  /// The date when the reader saved it.
  @Managed public var askedAt: Date
}
