public import Foundation
internal import OpenCoreData
public import OpenObjectGraph
internal import OpenStoreContract
internal import Synchronization

/// Limits the size of a store: deletes objects that are too old and, while the store is still too large, the oldest
/// remaining objects.
///
/// The size is that of the objects: rows, indexes and external values. Free space inside the files and the history
/// are not included; old history is deleted before objects are deleted because of the size.
///
/// Rows are deleted inside the store in small steps, so other contexts can save in between. Delete rules apply.
///
/// > Concurrency: A value; pruning may run on any thread, best in the background.
public struct StorePruning: Sendable {
  /// The objects that may be deleted. If the store is too large, the rules are applied in this order.
  public var rules: [PruningRule]
  /// The maximum number of bytes of the objects; nil for no limit. It has no effect on in-memory stores.
  public var sizeLimit: Int64?
  /// The age, in seconds, up to which objects are kept regardless of the store's size; a day by default.
  public var minimumAge: Double = 24 * 60 * 60
  /// The age, in seconds, up to which the history is kept regardless of the store's size; a week by default.
  ///
  /// History that a named consumer has not read is kept longer: see
  /// `NSPersistentStoreCoordinator.setHistoryToken(_:forConsumer:)`.
  public var minimumHistoryAge: Double = 7 * 24 * 60 * 60
  /// The number of objects deleted in one step.
  public var stepSize = 500
  private let now: @Sendable () -> Date

  /// Describes pruning.
  ///
  /// - Parameters:
  ///   - rules: The objects that may be deleted. If the store is too large, the rules are applied in this order.
  ///   - sizeLimit: The maximum number of bytes of the objects; nil for no limit.
  ///   - now: Returns the date from which the age of objects is measured.
  public init(
    rules: [PruningRule], sizeLimit: Int64? = 100_000_000,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.rules = rules
    self.sizeLimit = sizeLimit
    self.now = now
  }

  /// Prunes the stores of a controller and merges the deletions into its main context.
  ///
  /// - Parameters:
  ///   - controller: The stack.
  ///   - protected: Objects to keep, for example those on screen. A delete rule can
  ///     still delete them together with their owner: protect the owner too.
  /// - Returns: The numbers of deleted objects and transactions.
  /// - Throws: The error of a deletion or of measuring the store, or `CancellationError`; earlier deletions remain.
  public func prune(
    _ controller: PersistenceController, protecting protected: [NSManagedObjectID] = []
  ) throws -> PruningReport {
    var run = try PruningRun(controller, protected) { Task.isCancelled }
    try prune(&run)
    return try run.report()
  }

  /// Prunes the stores of a controller without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - controller: The stack.
  ///   - protected: Objects to keep. A delete rule may still delete them with their owner.
  /// - Returns: The numbers of deleted objects and transactions.
  /// - Throws: The errors of deletions and measurements; `CancelledWork` with the report when the task is cancelled before
  ///   the next step. What was deleted before stays deleted.
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
    if let sizeLimit { try shrink(to: sizeLimit, instant, &run) }
  }

  /// The latest date of objects that have an age; nil for an age that none has.
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
      try shrink(&bytes, to: limit, run.candidates(of: rule, before: end), &run)
    }
  }

  /// Deletes the oldest candidates until the limit holds, or a round frees nothing.
  ///
  /// The first round takes objects to be equally large, and deletes a part of what would be too many then: the oldest
  /// may be larger than the others. Each further round deletes about half of what seems to be too many by the
  /// measurements before it.
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

/// Whether a task was cancelled, for work on a queue, where the task cannot be asked.
private final class CancellationFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}
