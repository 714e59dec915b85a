/// The memory pressure on the system, or on the program's control group.
public enum MemoryPressure: Int, Sendable, Hashable, Comparable {
  /// There is enough.
  case normal
  /// Programs sometimes wait for memory: drop values that can be recreated.
  case warning
  /// All programs wait for memory, or the limit is near: drop everything that is not in use.
  case critical

  public static func < (one: MemoryPressure, other: MemoryPressure) -> Bool {
    one.rawValue < other.rawValue
  }
}

/// A source of memory pressure events.
///
/// `SystemMemoryPressure.shared` observes the kernel; `ManualMemoryPressure` is for tests.
public protocol MemoryPressureSource: Sendable {
  /// Begins to tell; handlers may be called on any thread.
  ///
  /// - Parameter handler: Told when memory runs short and when the shortage gets worse, never of `.normal`.
  /// - Returns: The observation; retain it as long as the handler should be called.
  func observe(_ handler: @escaping @Sendable (MemoryPressure) -> Void) -> MemoryPressureObservation
}

/// An observation of memory pressure, which lasts as long as this object.
public final class MemoryPressureObservation: Sendable {
  private let end: @Sendable () -> Void

  /// Creates an observation.
  ///
  /// - Parameter end: Called once, when the observation ends.
  public init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
