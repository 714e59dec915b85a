/// A policy for retrying work: the number of attempts, and the pauses between attempts.
///
/// ```swift
/// try await RetryPolicy(attempts: 3).run { try await controller.performBackgroundTask(importPage) }
/// ```
///
/// > Concurrency: A value type; usable on any thread.
public struct RetryPolicy: Sendable, Hashable {
  /// The maximum number of attempts, including the first. A value less than 1 is treated as 1.
  public var attempts: Int
  /// The pause after the first failure. A negative pause is treated as 0.
  public var firstDelay: Duration
  /// The number by which each pause is multiplied to give the next pause. With a factor of 1 or
  /// less, all pauses are equally long.
  public var factor: Double
  /// The maximum pause. A negative pause is treated as 0.
  public var longestDelay: Duration
  /// The maximum fraction by which a pause is randomly shortened, from 0 to 1. NaN is treated as 0.
  ///
  /// The random part prevents many programs from retrying at the same time.
  public var jitter: Double

  /// Creates a policy. By default, the pauses are 1 s, 2 s, 4 s and so on, each randomly shortened
  /// by up to a fifth.
  ///
  /// - Parameters:
  ///   - attempts: The maximum number of attempts, including the first. A value less than 1 is
  ///     treated as 1.
  ///   - firstDelay: The pause after the first failure. A negative pause is treated as 0.
  ///   - factor: The number by which each pause is multiplied to give the next pause. With a factor
  ///     of 1 or less, all pauses are equally long.
  ///   - longestDelay: The maximum pause. A negative pause is treated as 0.
  ///   - jitter: The maximum fraction by which a pause is randomly shortened, from 0 to 1. NaN is
  ///     treated as 0.
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

  /// Returns the pause after a failure.
  ///
  /// - Parameters:
  ///   - failure: The number of the failure, starting with 1. A value less than 1 is treated as 1.
  ///   - random: A number from 0, which leaves the pause unchanged, to 1, which shortens the pause
  ///     by the fraction ``jitter``. NaN is treated as 0.
  /// - Returns: The pause, which is never negative and never longer than ``longestDelay``.
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
    return delay * (1 - Self.fraction(jitter) * Self.fraction(random))
  }

  /// Returns the number limited to the range from 0 to 1; 0 for NaN.
  private static func fraction(_ number: Double) -> Double {
    number.isNaN ? 0 : min(max(number, 0), 1)
  }

  /// Runs work, and runs the work again after each transient failure.
  ///
  /// Canceling the task ends a pause immediately.
  ///
  /// - Parameters:
  ///   - clock: The clock that measures the pauses between attempts.
  ///   - random: A closure that returns a random number from 0 to 1 for
  ///     ``delay(afterFailure:random:)``.
  ///   - isTransient: A closure that returns whether a failure is transient; by default
  ///     `ErrorKind.isTransient(_:)`.
  ///   - isolation: The caller's actor, on which the work runs; nil if there is no actor.
  ///   - work: A closure that performs the work and may be called repeatedly. The closure receives
  ///     the number of the attempt, starting with 1.
  /// - Returns: The result of the work.
  /// - Throws: The failure of the last attempt, the first failure that is not transient, or
  ///   `CancellationError` if the task is canceled.
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
