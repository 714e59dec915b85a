public import Foundation
internal import OpenCoreData
public import OpenObjectGraph
internal import OpenStoreContract
internal import Synchronization

/// Limits the size of a store by deleting old objects.
///
/// Pruning deletes objects that are too old. While the store is still too large, it then deletes
/// the oldest remaining objects.
///
/// The measured size is that of the objects: rows, indexes and external values. It does not include
/// free space inside the files or the persistent history. Old history is deleted before objects are
/// deleted because of the size.
///
/// Rows are deleted inside the store in small steps, so other contexts can save in between. Delete
/// rules apply.
///
/// > Concurrency: A value. Pruning may run on any thread, preferably in the background.
public struct StorePruning: Sendable {
  /// The rules that select the objects to delete. If the store is too large, the rules are applied
  /// in this order.
  public var rules: [PruningRule]
  /// The maximum size of the objects in bytes, or nil for no limit. The limit has no effect on
  /// in-memory stores.
  public var sizeLimit: Int64?
  /// The age, in seconds, up to which objects are kept regardless of the store's size. The default
  /// is one day.
  public var minimumAge: Double = 24 * 60 * 60
  /// The age, in seconds, up to which persistent history is kept regardless of the store's size.
  /// The default is one week.
  ///
  /// History that a named consumer has not read is kept longer; see
  /// `NSPersistentStoreCoordinator.setHistoryToken(_:forConsumer:)`.
  public var minimumHistoryAge: Double = 7 * 24 * 60 * 60
  /// The number of objects deleted in one step.
  public var stepSize = 500
  private let now: @Sendable () -> Date

  /// Creates a configuration of pruning.
  ///
  /// - Parameters:
  ///   - rules: The rules that select the objects to delete. If the store is too large, the rules
  ///     are applied in this order.
  ///   - sizeLimit: The maximum size of the objects in bytes, or nil for no limit.
  ///   - now: A closure that returns the date that the age of objects is measured from.
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
  ///   - protected: The ids of objects to keep, for example those on screen. A delete rule can
  ///     still delete a protected object together with its owner, so protect the owner too.
  /// - Returns: The numbers of deleted objects and transactions, and the sizes.
  /// - Throws: The error of a deletion or of measuring the store, or `CancellationError` if the
  ///   task is cancelled. Deletions before the error remain.
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
  ///   - protected: The ids of objects to keep. A delete rule can still delete a protected object
  ///     together with its owner.
  /// - Returns: The numbers of deleted objects and transactions, and the sizes.
  /// - Throws: The error of a deletion or of measuring the store; `CancelledWork` with the report
  ///   if the task is cancelled before the next step. Deletions before the error remain.
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

  /// Returns the latest date of objects that have at least an age, or nil if no object can be that
  /// old.
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

  /// Deletes the oldest candidates until the store is within the limit, or until a round frees no
  /// space.
  ///
  /// The first round assumes that all objects have the same size. It deletes only a part of the
  /// excess under this assumption, because the oldest objects may be larger than the others. Each
  /// further round deletes about half of the excess according to the measurements before it.
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

/// Whether a task was cancelled, for work on a queue, which cannot query the task.
private final class CancellationFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}
