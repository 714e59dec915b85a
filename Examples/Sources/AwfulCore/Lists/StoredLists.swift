import CoreData
import Foundation
import OpenPersistenceKit

/// Determines which threads the stored lists contain, and removes threads that the site's lists no longer contain.
///
/// While a sync reads a list, the reader or another program may add a thread to the stored list. The sync therefore removes only threads
/// that were on the stored list before the sync read the first page.
enum StoredLists {
  /// Returns the ids of the threads on a forum's list.
  static func threadIDs(
    ofForum forumID: String, in context: NSManagedObjectContext
  ) throws -> Set<String> {
    Set(try threads(ofForum: forumID, in: context).map(\.threadID))
  }

  /// Removes threads from a forum's list.
  static func remove(
    _ threadIDs: Set<String>, fromForum forumID: String, in context: NSManagedObjectContext
  ) throws {
    for thread in try threads(ofForum: forumID, in: context)
    where threadIDs.contains(thread.threadID) {
      thread.update(\.threadListPage, to: 0)
      thread.update(\.sticky, to: false)
      thread.update(\.stickyIndex, to: 0)
    }
  }

  /// Returns the ids of the bookmarked threads.
  static func bookmarkedThreadIDs(in context: NSManagedObjectContext) throws -> Set<String> {
    Set(try bookmarkedThreads(in: context).map(\.threadID))
  }

  /// Removes the bookmarks of threads.
  static func removeBookmarks(
    of threadIDs: Set<String>, in context: NSManagedObjectContext
  ) throws {
    for thread in try bookmarkedThreads(in: context) where threadIDs.contains(thread.threadID) {
      thread.bookmarked = false
      thread.update(\.bookmarkListPage, to: 0)
    }
  }

  private static func threads(
    ofForum forumID: String, in context: NSManagedObjectContext
  ) throws -> [ForumThread] {
    try QueryBuilder<ForumThread>(entityName: "Thread")
      .where(
        NSPredicate(
          format: "forum.forumID == %@ AND (threadListPage > 0 OR sticky == YES)",
          argumentArray: [forumID])
      )
      .execute(in: context)
  }

  private static func bookmarkedThreads(
    in context: NSManagedObjectContext
  ) throws -> [ForumThread] {
    try QueryBuilder<ForumThread>(entityName: "Thread")
      .where("bookmarked == YES").execute(in: context)
  }
}
