import CoreData
public import Foundation
public import OpenPersistenceKit

extension ForumStore {
  /// Deletes threads with their posts that the site's lists do not show any more, and that were not fetched for a time; bookmarked ones
  /// stay.
  ///
  /// Threads on the lists would be fetched again.
  ///
  /// - Parameters:
  ///   - days: How long ago a thread was fetched last.
  ///   - kept: Threads that stay as well, by their ids: those that the reader has saved for later.
  ///   - sizeLimit: While the objects take more bytes, younger threads go as well, the oldest first; nil for no limit.
  ///   - now: The clock.
  /// - Returns: What was deleted.
  /// - Throws: What a deletion throws; what was deleted before stays deleted.
  public func prune(
    olderThanDays days: Double, keeping kept: [String] = [], sizeLimit: Int64? = nil,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws -> PruningReport {
    let rule = PruningRule(
      entityName: "Thread", dateKeyPath: "lastRefresh", maximumAge: days * 86_400,
      exceptions: "bookmarked == YES OR threadListPage > 0")
    let protected = try performBatchOperation { context in
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Thread")
      request.resultType = .managedObjectIDResultType
      request.predicate = NSPredicate(format: "threadID IN %@", argumentArray: [kept])
      return kept.isEmpty ? [] : try context.fetch(request)
    }
    return try StorePruning(rules: [rule], sizeLimit: sizeLimit, now: now)
      .prune(self, protecting: protected)
  }

  /// What is wrong with the store: with its file, its references, and the rules of forums.
  ///
  /// - Returns: All that was found; nothing for a sound store.
  /// - Throws: `CocoaError` when the store cannot be read.
  public func check() throws -> [IntegrityFinding] {
    let check = IntegrityCheck(rules: [
      .init(
        entityName: "Post", violation: "thread == nil", message: "The post belongs to no thread."),
      .init(
        entityName: "Thread", violation: "seenPosts < 0 OR totalReplies < 0",
        message: "The thread has a negative number of posts."),
      .init(
        entityName: "Thread", violation: "numberOfPages < 1",
        message: "The thread has no page."),
    ])
    return try check.findings(in: container.persistentStoreCoordinator)
  }

  /// The numbers of stored objects by entity, without entities of which there are none.
  ///
  /// - Throws: What counting throws.
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
