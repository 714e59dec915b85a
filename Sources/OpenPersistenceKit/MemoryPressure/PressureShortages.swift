/// A filter for readings of memory pressure. The filter reports a reading only if the reading
/// begins a shortage, or if the reading is worse than all earlier readings of the shortage.
///
/// A system can be short of memory for hours. A cache that is emptied at every reading would be
/// useless.
package struct PressureShortages {
  private var told = MemoryPressure.normal
  private var lastSeen = 0.0
  private let calm: Double

  /// Creates a filter for a system that is not short of memory.
  ///
  /// - Parameter calm: The time without pressure, in seconds, after which a shortage is over.
  package init(calm: Double) { self.calm = calm }

  /// Processes a reading and returns the level of pressure to report.
  ///
  /// - Parameters:
  ///   - pressure: The level of pressure that was read.
  ///   - instant: The time of the reading, in seconds since any fixed point in time.
  /// - Returns: The level of pressure; nil if the level is normal, or if this level or a worse
  ///   level was already reported for the shortage.
  package mutating func told(of pressure: MemoryPressure, at instant: Double) -> MemoryPressure? {
    if instant - lastSeen >= calm { told = .normal }
    guard pressure > .normal else { return nil }
    lastSeen = instant
    guard pressure > told else { return nil }
    told = pressure
    return pressure
  }
}
