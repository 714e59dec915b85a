internal import Foundation
internal import OpenCoreData
internal import OpenObjectGraph
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The objects that a rule deletes, in the order of their dates.
struct PruningCandidates {
  fileprivate let request: NSFetchRequest<NSManagedObject>
}

/// The state and the operations of one pruning run.
struct PruningRun {
  private let controller: PersistenceController
  private let protected: [NSManagedObjectID]
  private let isCancelled: () -> Bool
  private var before: StoreUsage?
  private var deletedCounts: [String: Int] = [:]
  private var deletedTransactionCount = 0

  /// Creates a run and measures the stores, without deleting anything.
  ///
  /// - Parameters:
  ///   - controller: The controller whose stores are pruned.
  ///   - protected: The ids of objects to keep.
  ///   - isCancelled: A closure that is called before each step and returns whether the task is
  ///     canceled.
  init(
    _ controller: PersistenceController, _ protected: [NSManagedObjectID],
    isCancelled: @escaping () -> Bool
  ) throws {
    self.controller = controller
    self.protected = protected
    self.isCancelled = isCancelled
    before = try usage()
  }

  /// Returns a report of the deletions so far.
  func report() throws -> PruningReport {
    let after = try usage()
    return PruningReport(
      deletedCounts: deletedCounts, deletedTransactionCount: deletedTransactionCount,
      bytesBefore: before?.objectBytes, bytesAfter: after?.objectBytes,
      historyBytesAfter: after?.historyBytes)
  }

  private var coordinator: NSPersistentStoreCoordinator {
    controller.container.persistentStoreCoordinator
  }

  /// The stores to prune.
  private var stores: [NSPersistentStore] {
    coordinator.persistentStores.filter { !$0.isReadOnly }
  }

  /// Returns the stores to prune that may contain objects of an entity.
  private func prunedStores(holding entityName: String) -> [NSPersistentStore] {
    guard let entity = coordinator.model.entity(named: entityName) else { return stores }
    func holds(_ store: NSPersistentStore) -> Bool {
      let held = coordinator.heldEntities(in: store)
      return entity.subtree.contains { held?[$0] ?? true }
    }
    // Objects of an entity that belongs to no configuration can be in any store.
    guard coordinator.persistentStores.contains(where: holds) else { return stores }
    return stores.filter(holds)
  }

  /// Returns the size of all stores to prune that can measure their size, or nil if no store can.
  func usage() throws -> StoreUsage? {
    var total: StoreUsage?
    for store in stores {
      guard let backend = store.backend as? any UsageReporting else { continue }
      let usage = try Self.reporting { () throws(StoreError) in try backend.usage() }
      total = StoreUsage(
        objectBytes: usage.objectBytes + (total?.objectBytes ?? 0),
        historyBytes: usage.historyBytes + (total?.historyBytes ?? 0))
    }
    return total
  }

  private static func reporting<Result>(
    _ work: () throws(StoreError) -> Result
  ) throws -> Result {
    do throws(StoreError) { return try work() } catch { throw CocoaError.reading(error) }
  }

  /// Deletes history that is older than an age in seconds and that all named consumers have
  /// processed.
  mutating func deleteHistory(olderThan age: Double) throws {
    guard age.isFinite else { return }
    deletedTransactionCount += try coordinator.pruneHistory(
      HistoryRetention(maximumAge: max(0, age)))
  }

  // MARK: Objects

  /// Returns the objects of a rule's entity whose date is before `limit`, without the exceptions of
  /// the rule and without protected objects.
  ///
  /// - Parameter isMeasured: Whether the objects must be in stores that can measure their size.
  func candidates(
    of rule: PruningRule, before limit: Date, isMeasured: Bool = false
  ) -> PruningCandidates {
    let request = NSFetchRequest<NSManagedObject>(entityName: rule.entityName)
    request.affectedStores = prunedStores(holding: rule.entityName).filter {
      !isMeasured || $0.backend is any UsageReporting
    }
    request.predicate = predicate(for: rule, before: limit)
    request.sortDescriptors = [NSSortDescriptor(key: rule.dateKeyPath, ascending: true)]
    return PruningCandidates(request: request)
  }

  /// Returns the number of objects that may be deleted.
  func count(of candidates: PruningCandidates) throws -> Int {
    let context = controller.newBackgroundContext()
    return try context.performAndWait { try context.count(for: candidates.request) }
  }

  /// Deletes the oldest candidates in steps.
  ///
  /// - Returns: The number of candidates that the steps were to delete, at most `count`. Objects
  ///   that were deleted by delete rules are not counted.
  mutating func delete(
    _ count: Int, of candidates: PruningCandidates, stepSize: Int
  ) throws -> Int {
    var done = 0
    while done < count {
      let step = min(max(1, stepSize), count - done)
      guard try delete(step, of: candidates) > 0 else { break }
      done += step
    }
    return done
  }

  /// Deletes the oldest candidates in one step.
  ///
  /// - Returns: The number of deleted objects, including objects that were deleted by delete rules.
  /// - Throws: The error of the deletion, or `CancellationError` if the task is canceled.
  mutating func delete(_ count: Int, of candidates: PruningCandidates) throws -> Int {
    if isCancelled() { throw CancellationError() }
    // A request without affected stores would also search the read-only stores.
    if candidates.request.affectedStores?.isEmpty == true, !coordinator.persistentStores.isEmpty {
      return 0
    }
    candidates.request.fetchLimit = max(1, count)
    defer { candidates.request.fetchLimit = 0 }
    let deleted = try controller.batchDelete(fetchRequest: candidates.request)
    for id in deleted { deletedCounts[id.entity.name ?? "", default: 0] += 1 }
    return deleted.count
  }

  private func predicate(for rule: PruningRule, before limit: Date) -> NSPredicate {
    var parts = [
      NSPredicate(format: "%K != nil", argumentArray: [rule.dateKeyPath]),
      NSPredicate(format: "%K < %@", argumentArray: [rule.dateKeyPath, limit]),
    ]
    if let exceptions = rule.exceptions {
      parts.append(Self.isNotTrue(exceptions))
    }
    if !protected.isEmpty {
      parts.append(NSPredicate(format: "NOT (SELF IN %@)", argumentArray: [protected]))
    }
    return NSCompoundPredicate(andPredicateWithSubpredicates: parts)
  }

  /// Returns a predicate that is true if another predicate is false or unknown. In a store, the
  /// negation of an unknown result is also unknown.
  private static func isNotTrue(_ format: String) -> NSPredicate {
    // An invalid format must fail when it is parsed separately, not as a part of another format.
    guard (try? NSPredicate.parsing(format)) != nil else {
      return NSPredicate(format: format, argumentArray: [])
    }
    return NSPredicate(format: "TERNARY((\(format)), 1, 0) == 0", argumentArray: [])
  }
}
