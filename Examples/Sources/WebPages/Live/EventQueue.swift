import Foundation
import Synchronization

/// The queue of pending events for one page.
///
/// If a page does not read its events and too many bytes are pending, the queue replaces them with an event that makes the page reload.
///
/// > Concurrency: Shared; usable on any thread.
package final class EventQueue: Sendable {
  /// The maximum number of pending bytes.
  package static let limit = 1_000_000

  private struct State {
    var waiting: [String] = []
    var size = 0
    var isEnded = false
  }

  private let state = Mutex(State())
  private let (signals, signal) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// Creates an empty queue.
  package init() {}

  /// Adds an event in its wire format.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - idLine: The line with the id of the event, if a client that has read everything again continues after this event; otherwise empty.
  package func add(_ event: String, idLine: String = "") {
    state.withLock { state in
      guard !state.isEnded else { return }
      state.waiting.append(event)
      state.size += event.utf8.count
      guard state.size > Self.limit else { return }
      state.waiting = [idLine + Self.stale]
      state.isEnded = true
    }
    signal.yield()
  }

  /// Ends the stream after the pending events.
  package func end() {
    state.withLock { $0.isEnded = true }
    signal.yield()
  }

  /// Waits for events and returns all pending ones; nil at the end of the stream.
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

  /// Sends a comment, which keeps the connection open and detects whether it is closed.
  func beat() { add(":\n\n") }

  /// The event that makes a page reload.
  package static let stale = "event: stale\ndata: {}\n\n"
}
