internal import Synchronization

/// The handlers of a source.
///
/// Shared. Handlers are called without any lock held.
final class PressureHandlers: Sendable {
  private struct State {
    var next = 0
    var handlers: [Int: @Sendable (MemoryPressure) -> Void] = [:]
  }

  private let state = Mutex(State())

  /// Adds a handler until the observation goes.
  func add(_ handler: @escaping @Sendable (MemoryPressure) -> Void) -> MemoryPressureObservation {
    let number = state.withLock { state in
      state.next += 1
      state.handlers[state.next] = handler
      return state.next
    }
    return MemoryPressureObservation { [weak self] in self?.remove(number) }
  }

  private func remove(_ number: Int) {
    // What the handler keeps alive is freed outside the lock.
    _ = state.withLock { $0.handlers.removeValue(forKey: number) }
  }

  /// Calls the handlers in the order in which they were added.
  func tell(_ pressure: MemoryPressure) {
    guard pressure > .normal else { return }
    let handlers = state.withLock { $0.handlers.sorted { $0.key < $1.key }.map(\.value) }
    for handler in handlers { handler(pressure) }
  }
}

/// A source that tells what it is told, for tests and for programs with a better one.
public final class ManualMemoryPressure: MemoryPressureSource {
  private let handlers = PressureHandlers()

  /// Makes a source without handlers.
  public init() {}

  /// Begins to tell a handler.
  ///
  /// - Parameter handler: Told on the thread that sends.
  /// - Returns: Keep it as long as the handler is to be told.
  public func observe(
    _ handler: @escaping @Sendable (MemoryPressure) -> Void
  ) -> MemoryPressureObservation { handlers.add(handler) }

  /// Tells all handlers, which have returned when this does.
  ///
  /// - Parameter pressure: What to tell; nobody is told of `.normal`.
  public func send(_ pressure: MemoryPressure) { handlers.tell(pressure) }
}
