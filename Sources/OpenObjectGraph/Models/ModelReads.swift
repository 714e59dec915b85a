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

  /// A class, whose parts are found without asking their types for sizes.
  private final class Asking: Sendable {
    // Immutable, as all key paths are.
    nonisolated(unsafe) let path: KeyPath<Subject, Void> = \Subject.[probe: Probe()]
    let subject = Subject()
    let registrar = ObservationRegistrar()
  }

  /// Whether the calling code is tracked.
  @inline(__always)
  static var isTracked: Bool {
    // Never released; used without counting and without `static let`, each of which would cost as much as the question.
    let asking = ocd_tracking_probe() ?? makeProbe()
    Unmanaged<Asking>.fromOpaque(asking)._withUnsafeGuaranteedRef {
      $0.registrar.access($0.subject, keyPath: $0.path)
    }
    return ocd_take_tracking()
  }

  @inline(never)
  private static func makeProbe() -> UnsafeMutableRawPointer {
    let made = Unmanaged.passRetained(Asking())
    let probe = ocd_set_tracking_probe(made.toOpaque())
    // Another thread was faster.
    if probe != made.toOpaque() { made.release() }
    return probe
  }
}
