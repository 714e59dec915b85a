import Synchronization

/// Counts calls of a closure that may run anywhere.
final class Counter: Sendable {
  private let calls = Mutex(0)

  /// The number of calls.
  var value: Int { calls.withLock { $0 } }

  /// Counts one call.
  func count() { calls.withLock { $0 += 1 } }
}
