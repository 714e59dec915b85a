internal import COpenRuntime
internal import Observation

/// Tells whether the code that runs now is tracked by `withObservationTracking(_:onChange:)`.
///
/// Observation has no function that tells, but it asks the key paths that it notes for hash values; the probe in this one
/// answers by raising a flag of the thread.
///
/// > Concurrency: Any thread.
enum ModelReads {
  private final class Subject: Observable, Sendable {
    subscript(probe probe: Probe) -> Void { () }
  }

  private struct Probe: Hashable {
    func hash(into hasher: inout Hasher) { ocd_note_tracking() }
  }

  private struct Asking: Sendable {
    let registrar = ObservationRegistrar()
    let subject = Subject()
    // Immutable, as all key paths are.
    nonisolated(unsafe) let path: KeyPath<Subject, Void> = \Subject.[probe: Probe()]
  }

  private static let asking = Asking()

  /// Whether the calling code is tracked.
  @inline(__always)
  static var isTracked: Bool {
    let asking = asking
    asking.registrar.access(asking.subject, keyPath: asking.path)
    return ocd_take_tracking()
  }
}
