/// The level of memory pressure in the system or in the program's control group.
public enum MemoryPressure: Int, Sendable, Hashable, Comparable {
  /// There is enough memory.
  case normal
  /// Some programs are waiting for memory, or the control group has nearly reached its memory
  /// limit. Release values that can be recreated.
  case warning
  /// All programs are waiting for memory, or the control group has almost no memory left. Release
  /// everything that is not in use.
  case critical

  public static func < (one: MemoryPressure, other: MemoryPressure) -> Bool {
    one.rawValue < other.rawValue
  }
}

/// A source of memory pressure events.
///
/// ``SystemMemoryPressure/shared`` reports the events of the kernel. ``ManualMemoryPressure`` is
/// for tests.
public protocol MemoryPressureSource: Sendable {
  /// Starts observing memory pressure.
  ///
  /// The source may call the handler on any thread.
  ///
  /// - Parameter handler: A closure that receives the level of pressure when memory becomes low,
  ///   and again when the shortage becomes critical. The closure never receives `.normal`.
  /// - Returns: The observation, which ends when it is deallocated. Retain the observation for as
  ///   long as the source should call the handler.
  func observe(_ handler: @escaping @Sendable (MemoryPressure) -> Void) -> MemoryPressureObservation
}

/// An observation of memory pressure that ends when this object is deallocated.
public final class MemoryPressureObservation: Sendable {
  private let end: @Sendable () -> Void

  /// Creates an observation.
  ///
  /// - Parameter end: A closure that is called once, when the observation ends.
  public init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
