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

  /// Not copyable, so that asking borrows it and counts nothing.
  private struct Asking: ~Copyable, Sendable {
    let registrar = ObservationRegistrar()
    let subject = Subject()
    // Immutable, as all key paths are.
    nonisolated(unsafe) let path: KeyPath<Subject, Void> = \Subject.[probe: Probe()]

    @inline(__always)
    borrowing func ask() { registrar.access(subject, keyPath: path) }
  }

  private static let asking = Asking()

  /// Whether the calling code is tracked.
  @inline(__always)
  static var isTracked: Bool {
    asking.ask()
    return ocd_take_tracking()
  }
}
