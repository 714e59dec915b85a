import CoreData
public import Foundation
public import OpenPersistenceKit

extension ForumStore {
  /// Deletes threads and their posts if the site's lists no longer show them and they have not been fetched for a time. Bookmarked threads
  /// stay.
  ///
  /// Threads on the lists stay too, because a sync would fetch them again.
  ///
  /// - Parameters:
  ///   - days: The minimum number of days since a thread was last fetched.
  ///   - kept: The ids of threads to keep as well: those that the reader has saved for later, and those on screen.
  ///   - posts: The ids of posts whose threads to keep as well: those that the reader has bookmarked.
  ///   - sizeLimit: The size limit for the objects, in bytes. While they exceed it, younger threads are deleted too, oldest first; nil for
  ///     no limit.
  ///   - now: A closure that returns the current date.
  /// - Returns: A report of the deletions.
  /// - Throws: Any error from a deletion. Earlier deletions stay in effect.
  public func prune(
    olderThanDays days: Double, keeping kept: [String] = [], keepingPosts posts: [String] = [],
    sizeLimit: Int64? = nil, now: @escaping @Sendable () -> Date = { Date() }
  ) throws -> PruningReport {
    let protected = try performBatchOperation { context in
      try Self.protectedThreads(kept, posts, in: context)
    }
    return try Self.pruning(olderThanDays: days, sizeLimit: sizeLimit, now: now)
      .prune(self, protecting: protected)
  }

  /// Deletes the same threads and posts as `prune`, without blocking the threads that run tasks.
  func pruneInBackground(
    olderThanDays days: Double, keeping kept: [String], keepingPosts posts: [String],
    sizeLimit: Int64?, now: @escaping @Sendable () -> Date
  ) async throws -> PruningReport {
    let protected = try await performBackgroundTask { context in
      try Self.protectedThreads(kept, posts, in: context)
    }
    return try await Self.pruning(olderThanDays: days, sizeLimit: sizeLimit, now: now)
      .prune(self, protecting: protected)
  }

  private static func pruning(
    olderThanDays days: Double, sizeLimit: Int64?, now: @escaping @Sendable () -> Date
  ) -> StorePruning {
    let rule = PruningRule(
      entityName: "Thread", dateKeyPath: "lastRefresh", maximumAge: days * 86_400,
      exceptions: "bookmarked == YES OR threadListPage > 0")
    return StorePruning(rules: [rule], sizeLimit: sizeLimit, now: now)
  }

  /// Returns the ids of the threads with the given ids, and of the threads of posts.
  private static func protectedThreads(
    _ threadIDs: [String], _ postIDs: [String], in context: NSManagedObjectContext
  ) throws -> [NSManagedObjectID] {
    var protected: [NSManagedObjectID] = []
    if !threadIDs.isEmpty {
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Thread")
      request.resultType = .managedObjectIDResultType
      request.predicate = NSPredicate(format: "threadID IN %@", argumentArray: [threadIDs])
      protected += try context.fetch(request)
    }
    if !postIDs.isEmpty {
      let request = NSFetchRequest<Post>(entityName: "Post")
      request.predicate = NSPredicate(format: "postID IN %@", argumentArray: [postIDs])
      protected += try context.fetch(request).compactMap { $0.thread?.objectID }
    }
    return protected
  }

  /// Checks the store's file, its references, and the rules of forums.
  ///
  /// - Returns: The findings; an empty array for an intact store.
  /// - Throws: `CocoaError` if the store cannot be read.
  public func check() throws -> [IntegrityFinding] {
    let check = IntegrityCheck(rules: [
      .init(
        entityName: "Post", violation: "thread == nil",
        message: "The post does not belong to a thread."),
      .init(
        entityName: "Thread", violation: "seenPosts < 0 OR totalReplies < 0",
        message: "The thread has a negative number of posts."),
      .init(
        entityName: "Thread", violation: "numberOfPages < 1",
        message: "The thread has no pages."),
    ])
    return try check.findings(in: container.persistentStoreCoordinator)
  }

  /// Returns the numbers of stored objects by entity, without entities that have none.
  ///
  /// - Throws: Any error from counting.
  public func objectCounts() throws -> [String: Int] {
    try performBatchOperation { context in
      var counts: [String: Int] = [:]
      let model = context.persistentStoreCoordinator?.managedObjectModel
      for name in model?.entitiesByName.keys.sorted() ?? [] {
        let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: name))
        if count > 0 { counts[name] = count }
      }
      return counts
    }
  }
}
