/// Carries a result that is not Sendable from a queue to the task that waits for it.
// Invariant of the unchecked conformance: one thread creates the value, and then only one other
// thread uses it.
struct QueueOutcome<Result, Failure: Error>: @unchecked Sendable {
  let result: Swift.Result<Result, Failure>

  /// Runs work and stores its result or its error.
  init(catching work: () throws(Failure) -> Result) { result = Swift.Result(catching: work) }
}
