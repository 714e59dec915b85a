import Synchronization

/// The first error of a background task.
///
/// > Concurrency: Shared; usable on any thread.
final class FirstFailure: Sendable {
  private let first = Mutex<(any Error)?>(nil)

  var error: (any Error)? { first.withLock { $0 } }

  func note(_ error: any Error) {
    first.withLock { $0 = $0 ?? error }
  }
}
