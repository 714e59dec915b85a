import Foundation
import Synchronization

/// The events that wait for one page.
///
/// A page that takes none for long is told to load itself again, instead of all that it missed. Shared.
package final class EventQueue: Sendable {
  /// How many bytes may wait.
  package static let limit = 1_000_000

  private struct State {
    var waiting: [String] = []
    var size = 0
    var isEnded = false
  }

  private let state = Mutex(State())
  private let (signals, signal) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// Makes a queue in which nothing waits.
  package init() {}

  /// Adds an event, as it is sent.
  package func add(_ event: String) {
    state.withLock { state in
      guard !state.isEnded else { return }
      state.waiting.append(event)
      state.size += event.utf8.count
      guard state.size > Self.limit else { return }
      state.waiting = [Self.stale]
      state.isEnded = true
    }
    signal.yield()
  }

  /// Ends the stream after what waits.
  package func end() {
    state.withLock { $0.isEnded = true }
    signal.yield()
  }

  /// All that waits, once there is something; nil at the end.
  package func next() async -> String? {
    var waits = signals.makeAsyncIterator()
    while true {
      let (text, isEnded) = state.withLock { state in
        defer { (state.waiting, state.size) = ([], 0) }
        return (state.waiting.joined(), state.isEnded)
      }
      if !text.isEmpty { return text }
      if isEnded || Task.isCancelled { return nil }
      if await waits.next() == nil { return nil }
    }
  }

  /// Keeps the connection open, and finds out whether it still is.
  func beat() { add(":\n\n") }

  /// The event that makes a page load itself again.
  package static let stale = "event: stale\ndata: {}\n\n"
}
