internal import Foundation

extension NSManagedObjectContext {
  /// When asynchronous work starts.
  public enum ScheduledTaskType: Sendable {
    /// At once if already on the context's queue, else at the queue's end.
    case immediate
    /// At the queue's end.
    case enqueued
  }

  /// Runs a block while holding the context's queue, and returns what it returns or throws.
  public func performAndWait<Result, Failure: Error>(
    _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result { try queue.result(.application, of: block) }

  /// Runs what a child asks for in the middle of its own work, while holding this context's queue.
  func performForChild<Result, Failure: Error>(
    _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result { try queue.result(.child, of: block) }

  /// Runs a block on the context's queue and returns what it returns or throws.
  ///
  /// > Reference: Apple, perform(schedule:_:).
  public func perform<Result, Failure: Error>(
    schedule: ScheduledTaskType = .immediate, _ block: @escaping () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let outcome = await withCheckedContinuation { continuation in
      // Resumed once, with a value made on the context's queue and handed over with the continuation.
      nonisolated(unsafe) let work = { [self] in
        let outcome = Outcome(Swift.Result(catching: block))
        if schedule == .enqueued { processPendingChanges() }
        continuation.resume(returning: outcome)
      }
      if schedule == .immediate && queue.isKept { work() } else { queue.async { work() } }
    }
    return try outcome.result.get()
  }
}

/// Carries a result that is not Sendable out of the context's queue.
// Invariant of the unchecked conformance: made by one thread and then used by one other only.
private struct Outcome<Result, Failure: Error>: @unchecked Sendable {
  let result: Swift.Result<Result, Failure>

  init(_ result: Swift.Result<Result, Failure>) { self.result = result }
}
