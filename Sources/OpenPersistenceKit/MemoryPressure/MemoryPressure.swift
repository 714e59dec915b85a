/// How short of memory the system, or this program's part of it, is.
public enum MemoryPressure: Int, Sendable, Hashable, Comparable {
  /// There is enough.
  case normal
  /// Programs wait for memory now and then: drop what can be made again.
  case warning
  /// All programs wait for memory, or the limit is near: drop everything that is not in use.
  case critical

  public static func < (one: MemoryPressure, other: MemoryPressure) -> Bool {
    one.rawValue < other.rawValue
  }
}

/// Something that tells when memory runs short.
///
/// `SystemMemoryPressure.shared` asks the kernel; `ManualMemoryPressure` tells what tests want told.
public protocol MemoryPressureSource: Sendable {
  /// Begins to tell; handlers may be called on any thread.
  ///
  /// - Parameter handler: Told when memory runs short and when the shortage gets worse, never of `.normal`.
  /// - Returns: Keep it as long as the handler is to be told.
  func observe(_ handler: @escaping @Sendable (MemoryPressure) -> Void) -> MemoryPressureObservation
}

/// A handler that is told of memory pressure as long as this object lives.
public final class MemoryPressureObservation: Sendable {
  private let end: @Sendable () -> Void

  /// Makes an observation.
  ///
  /// - Parameter end: Called once, when the observation ends.
  public init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
