/// Carries a result that is not Sendable from a queue to the task that waits for it.
// Invariant of the unchecked conformance: made by one thread and then used by one other only.
struct QueueOutcome<Result, Failure: Error>: @unchecked Sendable {
  let result: Swift.Result<Result, Failure>

  /// Runs work and stores its result or its error.
  init(catching work: () throws(Failure) -> Result) { result = Swift.Result(catching: work) }
}
