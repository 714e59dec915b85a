internal import Synchronization

/// The handlers of a source of memory pressure events.
///
/// Threads may share the object. Handlers are called without holding a lock.
final class PressureHandlers: Sendable {
  private struct State {
    var next = 0
    var handlers: [Int: @Sendable (MemoryPressure) -> Void] = [:]
  }

  private let state = Mutex(State())

  /// Adds a handler, which is removed when the observation ends.
  func add(_ handler: @escaping @Sendable (MemoryPressure) -> Void) -> MemoryPressureObservation {
    let number = state.withLock { state in
      state.next += 1
      state.handlers[state.next] = handler
      return state.next
    }
    return MemoryPressureObservation { [weak self] in self?.remove(number) }
  }

  private func remove(_ number: Int) {
    // The objects that the handler retains are released outside the lock.
    _ = state.withLock { $0.handlers.removeValue(forKey: number) }
  }

  /// Calls the handlers in the order in which they were added.
  func tell(_ pressure: MemoryPressure) {
    guard pressure > .normal else { return }
    let handlers = state.withLock { $0.handlers.sorted { $0.key < $1.key }.map(\.value) }
    for handler in handlers { handler(pressure) }
  }
}

/// A source of memory pressure events that reports only the events passed to ``send(_:)``.
///
/// Use this source in tests and in programs that detect memory pressure themselves.
public final class ManualMemoryPressure: MemoryPressureSource {
  private let handlers = PressureHandlers()

  /// Creates a source without handlers.
  public init() {}

  /// Adds a handler.
  ///
  /// - Parameter handler: A closure that receives the level of pressure, on the thread that calls
  ///   ``send(_:)``.
  /// - Returns: The observation, which ends when it is deallocated. Retain the observation for as
  ///   long as the source should call the handler.
  public func observe(
    _ handler: @escaping @Sendable (MemoryPressure) -> Void
  ) -> MemoryPressureObservation { handlers.add(handler) }

  /// Calls all handlers and returns after the last handler has returned.
  ///
  /// - Parameter pressure: The level of pressure to report. If the level is `.normal`, the method
  ///   calls no handler.
  public func send(_ pressure: MemoryPressure) { handlers.tell(pressure) }
}
