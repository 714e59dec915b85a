public import Foundation
public import OpenObjectGraph
internal import Synchronization

/// An operation that performs work in a context, then saves and resets the context.
///
/// Pass the work to the initializer, or override ``performWork(in:)``. The context is also reset if
/// the work or the save fails.
///
/// > Concurrency: A class that threads may share, like every operation. The work runs on the
/// > context's queue.
// Invariant of the unchecked conformance: the context is used through `performAndWait` only, the
// work runs once in it, and the outcome is behind its lock. A subclass must preserve this
// invariant.
open class MemoryManagedOperation: Operation, @unchecked Sendable {
  private let context: NSManagedObjectContext
  private let work: (NSManagedObjectContext) throws -> Void
  private let outcome = Mutex<Result<Void, any Error>?>(nil)

  /// Creates an operation.
  ///
  /// - Parameters:
  ///   - context: A context that only this operation uses.
  ///   - work: A closure that performs the work on the context's queue; by default, a closure that
  ///     does nothing.
  public init(
    context: NSManagedObjectContext,
    work: sending @escaping (NSManagedObjectContext) throws -> Void = { _ in }
  ) {
    self.context = context
    self.work = work
  }

  /// The error that the work or the save threw, or `CancellationError` if the operation was
  /// canceled.
  ///
  /// The value is nil until the operation ends. If the operation succeeds, the value remains nil.
  public var error: (any Error)? {
    switch outcome.withLock({ $0 }) {
    case .success: nil
    case .failure(let error): error
    // An operation that is canceled before it starts does not call `main()`.
    case nil: isFinished && isCancelled ? CancellationError() : nil
    }
  }

  /// Performs the work of the operation.
  ///
  /// The operation calls this method on the context's queue. To limit memory use, call
  /// ``saveAndReset(_:)`` after every few hundred objects. The default implementation calls the
  /// closure that was passed to the initializer.
  ///
  /// - Parameter context: The operation's context.
  /// - Throws: Any error of the work. The operation then discards unsaved changes.
  open func performWork(in context: NSManagedObjectContext) throws { try work(context) }

  /// Saves the changes, and then resets the context to release the context's objects.
  ///
  /// - Parameter context: The operation's context.
  /// - Throws: Any error that the save throws, or `CancellationError` if the operation was
  ///   canceled.
  public func saveAndReset(_ context: NSManagedObjectContext) throws {
    if isCancelled { throw CancellationError() }
    try context.saveIfNeeded()
    context.reset()
  }

  /// Runs the work on the context's queue, then saves and resets the context.
  public final override func main() {
    if isCancelled { return outcome.withLock { $0 = .failure(CancellationError()) } }
    context.performAndWait {
      defer { context.reset() }
      do {
        try performWork(in: context)
        try saveAndReset(context)
        outcome.withLock { $0 = .success(()) }
      } catch {
        outcome.withLock { $0 = .failure(error) }
      }
    }
  }
}
