import Synchronization

/// A clock whose sleepers wake at once, and that notes how long they would have slept.
final class TestClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private let state = Mutex<(now: Duration, pauses: [Duration])>((.zero, []))
  var now: Instant { Instant(offset: state.withLock { $0.now }) }
  let minimumResolution = Duration.zero
  var pauses: [Duration] { state.withLock { $0.pauses } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      state.pauses.append(deadline.offset - state.now)
      state.now = deadline.offset
    }
  }
}
