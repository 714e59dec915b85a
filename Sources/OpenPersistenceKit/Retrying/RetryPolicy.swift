/// How often work is tried again, and how long the pauses are.
///
/// ```swift
/// try await RetryPolicy(attempts: 3).run { try await controller.performBackgroundTask(importPage) }
/// ```
///
/// > Concurrency: A value.
public struct RetryPolicy: Sendable, Hashable {
  /// Greatest number of tries, the first included.
  public var attempts: Int
  /// Pause after the first failure.
  public var firstDelay: Duration
  /// What each pause is to the one before it.
  public var factor: Double
  /// Longest pause.
  public var longestDelay: Duration
  /// Greatest share of a pause that is left out at random, 0 to 1, so that many programs do not try in step.
  public var jitter: Double

  /// Describes retries; the pauses are 1 s, 2 s, 4 s and so on, each up to a fifth shorter.
  ///
  /// - Parameters:
  ///   - attempts: Greatest number of tries, the first included; less than 1 counts as 1.
  ///   - firstDelay: Pause after the first failure.
  ///   - factor: What each pause is to the one before it.
  ///   - longestDelay: Longest pause.
  ///   - jitter: Greatest share of a pause that is left out at random, 0 to 1.
  public init(
    attempts: Int = 3, firstDelay: Duration = .seconds(1), factor: Double = 2,
    longestDelay: Duration = .seconds(60), jitter: Double = 0.2
  ) {
    self.attempts = attempts
    self.firstDelay = firstDelay
    self.factor = factor
    self.longestDelay = longestDelay
    self.jitter = jitter
  }

  /// The pause after a failure.
  ///
  /// - Parameters:
  ///   - failure: Number of the failure, from 1.
  ///   - random: A number from 0 up to 1.
  /// - Returns: The pause, at most the longest and never below zero.
  public func delay(afterFailure failure: Int, random: Double) -> Duration {
    let longest = max(longestDelay, .zero)
    var delay = min(max(firstDelay, .zero), longest)
    for _ in 1..<max(1, min(failure, 1000)) {
      // Growth ends at the longest pause, long before a duration could overflow.
      guard delay > Duration.zero, delay != longest, factor.isFinite, factor > 1 else {
        break
      }
      delay = min(delay * min(factor, 1000), longest)
    }
    let share = min(max(jitter, 0), 1) * min(max(random, 0), 1)
    return delay * (1 - share)
  }

  /// Does work, and tries again after failures that may pass.
  ///
  /// The pauses end at once when the task is cancelled.
  ///
  /// - Parameters:
  ///   - clock: What the pauses are measured by.
  ///   - random: Gives numbers from 0 up to 1.
  ///   - isTransient: Which failures may pass; by default those of stores and saves that `ErrorKind` says may.
  ///   - isolation: Where the work runs: with the caller.
  ///   - work: The work, told the number of the try from 1. It must be safe to repeat.
  /// - Returns: What the work returns.
  /// - Throws: The last failure, the first that will not pass, or `CancellationError`.
  public func run<Result>(
    clock: any Clock<Duration> = ContinuousClock(),
    random: () -> Double = { Double.random(in: 0..<1) },
    isTransient: (any Error) -> Bool = { ErrorKind.isTransient($0) },
    isolation: isolated (any Actor)? = #isolation, _ work: (Int) async throws -> Result
  ) async throws -> Result {
    var attempt = 1
    while true {
      try Task.checkCancellation()
      do {
        return try await work(attempt)
      } catch {
        guard attempt < attempts, !(error is CancellationError), isTransient(error) else {
          throw error
        }
        try await clock.sleep(for: delay(afterFailure: attempt, random: random()))
        attempt += 1
      }
    }
  }
}
