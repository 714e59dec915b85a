public import Foundation

/// The time as a sync sees it; tests bring their own.
public struct SyncClock: Sendable {
  /// The present instant.
  public let now: @Sendable () -> Date
  /// Waits; throws when the task is cancelled.
  public let sleep: @Sendable (Duration) async throws -> Void

  /// The system's clock.
  public static let system = SyncClock(now: { Date() }, sleep: { try await Task.sleep(for: $0) })

  /// Makes a clock.
  ///
  /// - Parameters:
  ///   - now: Tells the present instant.
  ///   - sleep: Waits.
  public init(
    now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }
}
