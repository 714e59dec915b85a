internal import Foundation

extension NSManagedObjectContext {
  /// When asynchronous work starts.
  public enum ScheduledTaskType: Sendable {
    /// Runs immediately if already on the context's queue, otherwise at the end of the queue.
    case immediate
    /// At the queue's end.
    case enqueued
  }

  /// Runs a block on the context's queue, and returns its result or throws its error.
  ///
  /// - Returns: The result of the block.
  /// - Throws: The error of the block.
  /// > Reference: Apple, performAndWait(_:). Differs: D-281.
  public func performAndWait<Result, Failure: Error>(
    _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result { try queue.result(.application, of: block) }

  /// Runs what a child asks for in the middle of its own work, while holding this context's queue.
  func performForChild<Result, Failure: Error>(
    _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result { try queue.result(.child, of: block) }

  /// Runs a block on the context's queue and returns what it returns or throws.
  ///
  /// - Returns: The result of the block.
  /// - Throws: The error of the block.
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
