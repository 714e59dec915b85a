/// Determines which readings of memory pressure are reported: those that begin a shortage or make
/// it worse.
///
/// A system can be short of memory for hours. Caches would be useless if they were emptied at every
/// reading.
package struct PressureShortages {
  private var told = MemoryPressure.normal
  private var lastSeen = 0.0
  private let calm: Double

  /// Creates a value without a shortage.
  ///
  /// - Parameter calm: The time in seconds without pressure after which a shortage is over.
  package init(calm: Double) { self.calm = calm }

  /// Processes a reading and returns the pressure to report.
  ///
  /// - Parameters:
  ///   - pressure: The pressure that was read.
  ///   - instant: The time of the reading, in seconds.
  /// - Returns: The pressure, or nil if it was already reported or is normal.
  package mutating func told(of pressure: MemoryPressure, at instant: Double) -> MemoryPressure? {
    if instant - lastSeen >= calm { told = .normal }
    guard pressure > .normal else { return nil }
    lastSeen = instant
    guard pressure > told else { return nil }
    told = pressure
    return pressure
  }
}
