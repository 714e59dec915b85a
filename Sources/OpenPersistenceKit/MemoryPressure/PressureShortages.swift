/// Which readings of memory pressure begin a shortage, or make one worse: only these are told.
///
/// A system can be short of memory for hours. Caches that were emptied at every reading would be of no use then.
package struct PressureShortages {
  private var told = MemoryPressure.normal
  private var lastSeen = 0.0
  private let calm: Double

  /// Begins without a shortage.
  ///
  /// - Parameter calm: Seconds without pressure after which a shortage is over.
  package init(calm: Double) { self.calm = calm }

  /// Takes a reading.
  ///
  /// - Parameters:
  ///   - pressure: What was read.
  ///   - instant: When it was read, in seconds.
  /// - Returns: The pressure to report; nil if it was already reported.
  package mutating func told(of pressure: MemoryPressure, at instant: Double) -> MemoryPressure? {
    if instant - lastSeen >= calm { told = .normal }
    guard pressure > .normal else { return nil }
    lastSeen = instant
    guard pressure > told else { return nil }
    told = pressure
    return pressure
  }
}
