public import Foundation
public import OpenObjectGraph
internal import Synchronization

/// An operation on a context that is saved at the end, and reset whatever happened.
///
/// Override `performWork(in:)`, or give the work to the initializer.
///
/// > Concurrency: Shared, as every operation; the work runs on the context's queue.
// Invariant of the unchecked conformance: the context is used through `performAndWait` only, the work runs once in it, and
// the outcome is behind its lock. A subclass must keep to that.
open class MemoryManagedOperation: Operation, @unchecked Sendable {
  private let context: NSManagedObjectContext
  private let work: (NSManagedObjectContext) throws -> Void
  private let outcome = Mutex<(any Error)?>(nil)

  /// Creates an operation.
  ///
  /// - Parameters:
  ///   - context: A context that only this operation uses.
  ///   - work: The work, called on the context's queue.
  public init(
    context: NSManagedObjectContext,
    work: sending @escaping (NSManagedObjectContext) throws -> Void = { _ in }
  ) {
    self.context = context
    self.work = work
  }

  /// The error of the work or the save, or `CancellationError` for a cancelled operation; nil before the end and after success.
  public var error: (any Error)? { outcome.withLock { $0 } }

  /// Performs the work on the context's queue. Save and reset after every few hundred objects with `saveAndReset(_:)`.
  ///
  /// - Throws: Any error; changes that are unsaved at that time are not saved.
  open func performWork(in context: NSManagedObjectContext) throws { try work(context) }

  /// Saves the changes and resets the context, so that the next batch starts with empty memory.
  ///
  /// - Throws: The error of the save, or `CancellationError` when the operation was cancelled.
  public func saveAndReset(_ context: NSManagedObjectContext) throws {
    if isCancelled { throw CancellationError() }
    if context.hasChanges { try context.save() }
    context.reset()
  }

  /// Runs the work, saves and resets.
  public final override func main() {
    if isCancelled { return outcome.withLock { $0 = CancellationError() } }
    context.performAndWait {
      defer { context.reset() }
      do {
        try performWork(in: context)
        try saveAndReset(context)
      } catch {
        outcome.withLock { $0 = error }
      }
    }
  }
}
