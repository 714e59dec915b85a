public import Foundation
internal import OpenCoreData
public import OpenObjectGraph
internal import OpenStoreContract
internal import Synchronization

/// A configuration for pruning, which deletes old objects to limit the size of stores.
///
/// Pruning first deletes the objects that are older than the maximum age in their rule. If the
/// objects and the persistent history together still exceed the size limit, pruning deletes old
/// history. Pruning then deletes the oldest remaining objects until the objects alone are within
/// the limit.
///
/// The size of the objects includes rows, indexes and external values, but not the free space
/// inside the files.
///
/// Pruning deletes rows directly in the store, in steps of up to ``stepSize`` objects, so other
/// contexts can save between steps. Delete rules apply. Pruning ignores read-only stores, and their
/// size does not count.
///
/// > Concurrency: A value type; usable on any thread. Call the synchronous `prune` on a background
/// > thread, or call the asynchronous `prune`.
public struct StorePruning: Sendable {
  /// The rules that select the objects to delete. If the stores are too large, pruning first
  /// deletes the objects that earlier rules in the array select.
  public var rules: [PruningRule]
  /// The maximum size of the objects in all stores, in bytes; nil for no limit. A negative value is
  /// treated as 0. The limit applies only to SQLite stores.
  public var sizeLimit: Int64?
  /// The minimum age, in seconds, of objects that pruning deletes to reduce the size. The default
  /// is one day.
  public var minimumAge: Double = 24 * 60 * 60
  /// The minimum age, in seconds, of history that pruning deletes to reduce the size. The default
  /// is one week.
  ///
  /// Pruning also keeps older history that a named consumer has not yet processed; see
  /// `NSPersistentStoreCoordinator.setHistoryToken(_:forConsumer:)`.
  public var minimumHistoryAge: Double = 7 * 24 * 60 * 60
  /// The maximum number of objects that one step deletes, not counting the objects that delete
  /// rules delete. The default is 500. A value less than 1 is treated as 1.
  public var stepSize = 500
  private let now: @Sendable () -> Date

  /// Creates a configuration for pruning.
  ///
  /// - Parameters:
  ///   - rules: The rules that select the objects to delete. If the stores are too large, pruning
  ///     first deletes the objects that earlier rules in the array select.
  ///   - sizeLimit: The maximum size of the objects in all stores, in bytes; nil for no limit. A
  ///     negative value is treated as 0. The default is 100,000,000.
  ///   - now: A closure that returns the current date. Pruning computes the ages of objects from
  ///     this date.
  public init(
    rules: [PruningRule], sizeLimit: Int64? = 100_000_000,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.rules = rules
    self.sizeLimit = sizeLimit
    self.now = now
  }

  /// Prunes the stores of a controller, and merges the deletions into the controller's main
  /// context.
  ///
  /// On the main thread, the main context merges the deletions before the method returns.
  /// Otherwise, the main context merges the deletions later, on the main queue.
  ///
  /// - Parameters:
  ///   - controller: The controller whose stores are pruned.
  ///   - protected: The ids of objects to keep, for example the objects on screen. Delete
  ///     rules can still delete a protected object when another object is deleted. To keep the
  ///     protected object, also protect the other object.
  /// - Returns: The numbers of deleted objects and transactions, and the sizes before and after
  ///   pruning.
  /// - Throws: `PredicateFormatError` if the exceptions of a rule cannot be parsed; `CocoaError`
  ///   134060 if a rule names an unknown entity or property; any other error that occurs while the
  ///   method measures stores or deletes objects or history; `CancellationError` if the task is
  ///   canceled. Earlier deletions are not undone.
  public func prune(
    _ controller: PersistenceController, protecting protected: [NSManagedObjectID] = []
  ) throws -> PruningReport {
    var run = try PruningRun(controller, protected) { Task.isCancelled }
    try prune(&run)
    return try run.report()
  }

  /// Prunes the stores of a controller without blocking the caller's thread.
  ///
  /// The controller's main context merges the deletions later, on the main queue.
  ///
  /// - Parameters:
  ///   - controller: The controller whose stores are pruned.
  ///   - protected: The ids of objects to keep, for example the objects on screen. Delete
  ///     rules can still delete a protected object when another object is deleted. To keep the
  ///     protected object, also protect the other object.
  /// - Returns: The numbers of deleted objects and transactions, and the sizes before and after
  ///   pruning.
  /// - Throws: `PredicateFormatError` if the exceptions of a rule cannot be parsed; `CocoaError`
  ///   134060 if a rule names an unknown entity or property; any other error that occurs while the
  ///   method measures stores or deletes objects or history; `CancelledWork` with a
  ///   ``PruningReport`` if the task is canceled before the last step. Earlier deletions are not
  ///   undone.
  public func prune(
    _ controller: PersistenceController, protecting protected: [NSManagedObjectID] = []
  ) async throws -> PruningReport {
    let isCancelled = CancellationFlag()
    let context = controller.newBackgroundContext()
    return try await withTaskCancellationHandler {
      try await context.perform {
        var run = try PruningRun(controller, protected) { isCancelled.isSet }
        do { try prune(&run) } catch is CancellationError {
          throw CancelledWork(completed: try run.report())
        }
        return try run.report()
      }
    } onCancel: {
      isCancelled.set()
    }
  }

  private func prune(_ run: inout PruningRun) throws {
    let instant = now()
    for rule in rules {
      guard let limit = Self.date(rule.maximumAge, before: instant) else { continue }
      let candidates = run.candidates(of: rule, before: limit)
      while try run.delete(stepSize, of: candidates) > 0 {}
    }
    if let sizeLimit { try shrink(to: max(0, sizeLimit), instant, &run) }
  }

  /// Returns the latest date of objects that have at least a given age in seconds; nil if the age
  /// is infinite.
  private static func date(_ age: Double, before instant: Date) -> Date? {
    age.isFinite ? instant.addingTimeInterval(-max(0, age)) : nil
  }

  private func shrink(to limit: Int64, _ instant: Date, _ run: inout PruningRun) throws {
    guard let usage = try run.usage(), usage.totalBytes > limit else { return }
    try run.deleteHistory(olderThan: minimumHistoryAge)
    guard let oldest = Self.date(minimumAge, before: instant) else { return }
    var bytes = usage.objectBytes
    for rule in rules where bytes > limit {
      // Up to and including the instant at which an object is old enough.
      let end = Date(
        timeIntervalSinceReferenceDate: oldest.timeIntervalSinceReferenceDate.nextUp)
      let candidates = run.candidates(of: rule, before: end, isMeasured: true)
      try shrink(&bytes, to: limit, candidates, &run)
    }
  }

  /// Deletes the oldest candidates until the store is within the limit, or until a round frees no
  /// space.
  ///
  /// The first round deletes a sixteenth of the objects that would have to be deleted if all
  /// objects had the same size, because the oldest objects may be larger than the others. Each
  /// later round deletes about half of the excess, according to the sizes measured in earlier
  /// rounds.
  private func shrink(
    _ bytes: inout Int64, to limit: Int64, _ candidates: PruningCandidates, _ run: inout PruningRun
  ) throws {
    var deleted = 0
    var freed: Int64 = 0
    while bytes > limit {
      let estimate =
        if deleted == 0 {
          Double(try run.count(of: candidates)) * Double(bytes - limit) / Double(bytes) / 16
        } else {
          min(Double(deleted) * Double(bytes - limit) / Double(freed), Double(4 * deleted)) / 2
        }
      let count = Int(max(1, estimate.rounded(.up)))
      let done = try run.delete(count, of: candidates, stepSize: stepSize)
      guard done > 0, let left = try run.usage()?.objectBytes, left < bytes else { return }
      deleted += done
      freed += bytes - left
      bytes = left
    }
  }
}

/// A flag that is set when the task is canceled, for work on a queue, which cannot query the task.
private final class CancellationFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}
