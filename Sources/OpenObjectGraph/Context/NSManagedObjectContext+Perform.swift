internal import Foundation

extension NSManagedObjectContext {
  /// The type of queue on which a context runs its blocks.
  public struct ConcurrencyType: RawRepresentable, Hashable, Sendable {
    /// The number that identifies the type of queue, such as 1 for a private queue.
    public let rawValue: Int

    /// Creates a type of queue from a number: 2 for the main queue, any other number for a private
    /// queue.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A private queue.
    public static let privateQueue = ConcurrencyType(rawValue: 1)
    /// The main queue.
    public static let mainQueue = ConcurrencyType(rawValue: 2)

    var value: NSManagedObjectContextConcurrencyType {
      self == .mainQueue ? .mainQueueConcurrencyType : .privateQueueConcurrencyType
    }
  }

  /// Creates a context with the given type of queue.
  ///
  /// Set a coordinator or a parent before you use the context.
  public convenience init(_ type: ConcurrencyType) {
    self.init(concurrencyType: type.value)
  }

  /// Whether an asynchronous block starts immediately or is enqueued.
  public enum ScheduledTaskType: Sendable {
    /// Runs the block immediately if the caller is on the context's queue; otherwise, enqueues the
    /// block.
    case immediate
    /// Always enqueues the block. Like `perform(_:)`, processes pending changes after the block.
    case enqueued
  }

  /// Runs a block on the context's queue, waits until the block has finished, and returns the
  /// result of the block.
  ///
  /// Calls may be nested.
  ///
  /// - Parameter block: The block to run.
  /// - Returns: The result of the block.
  /// - Throws: Any error that the block throws.
  /// > Reference: Apple, performAndWait(_:). Differs: D-281.
  public func performAndWait<Result, Failure: Error>(
    _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result { try queue.result(.application, of: block) }

  /// Runs a child's read or save while holding this context's queue.
  func performForChild<Result, Failure: Error>(
    _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result { try queue.result(.child, of: block) }

  /// Runs a block asynchronously on the context's queue, and returns the block's result.
  ///
  /// - Parameters:
  ///   - schedule: Whether a call on the context's queue runs the block immediately or enqueues the
  ///     block.
  ///   - block: The block to run.
  /// - Returns: The result of the block.
  /// - Throws: Any error that the block throws.
  /// > Concurrency: The block does not inherit the actor of the calling function.
  /// > Reference: Apple, perform(schedule:_:).
  @preconcurrency public func perform<Result, Failure: Error>(
    schedule: ScheduledTaskType = .immediate,
    _ block: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let outcome = await withCheckedContinuation { continuation in
      let work = { @Sendable [self] in
        let outcome = QueueOutcome(catching: block)
        if schedule == .enqueued { processPendingChanges() }
        continuation.resume(returning: outcome)
      }
      if schedule == .immediate && queue.isKept { work() } else { queue.async { work() } }
    }
    return try outcome.result.get()
  }
}
