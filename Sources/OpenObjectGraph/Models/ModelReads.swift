internal import COpenRuntime
internal import Observation

/// Determines whether the running code is tracked by `withObservationTracking(_:onChange:)`.
///
/// Observation has no function for this purpose. However, Observation computes the hash value of
/// each key path that it records. The key path of this type contains a probe whose hash function
/// sets a flag of the thread.
///
/// > Concurrency: Any thread.
enum ModelReads {
  private final class Subject: Observable, Sendable {
    subscript(probe probe: Probe) -> Void { () }
  }

  private struct Probe: Hashable {
    func hash(into hasher: inout Hasher) { ocd_note_tracking() }
  }

  /// The objects of the probe, in a class so that an access does not need the sizes of the types.
  private final class Asking: Sendable {
    // Immutable, as all key paths are.
    nonisolated(unsafe) let path: KeyPath<Subject, Void> = \Subject.[probe: Probe()]
    let subject = Subject()
    let registrar = ObservationRegistrar()
  }

  /// Whether the calling code is tracked.
  @inline(__always)
  static var isTracked: Bool {
    // Never released. Used without reference counting and without `static let`, either of which
    // would cost as much as the check itself.
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
    // Another thread has installed its probe first.
    if probe != made.toOpaque() { made.release() }
    return probe
  }
}
