public import Foundation

/// The clock of a sync, which tests can replace.
public struct SyncClock: Sendable {
  /// A closure that returns the current date.
  public let now: @Sendable () -> Date
  /// A closure that waits, and throws if the task is canceled.
  public let sleep: @Sendable (Duration) async throws -> Void

  /// The system's clock.
  public static let system = SyncClock(now: { Date() }, sleep: { try await Task.sleep(for: $0) })

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - now: A closure that returns the current date.
  ///   - sleep: A closure that waits.
  public init(
    now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }
}
