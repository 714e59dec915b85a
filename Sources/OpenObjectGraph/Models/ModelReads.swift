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

  /// Pointers, so that asking copies and counts nothing; what they lead to lives as long as the process.
  // Invariant of the unchecked conformance: nothing of it changes after it is made.
  private struct Asking: @unchecked Sendable {
    let registrar: UnsafeMutablePointer<ObservationRegistrar>
    let subject = Unmanaged.passRetained(Subject())
    let path = Unmanaged<KeyPath<Subject, Void>>.passRetained(\Subject.[probe: Probe()])

    init() {
      registrar = .allocate(capacity: 1)
      registrar.initialize(to: ObservationRegistrar())
    }
  }

  private static let asking = Asking()

  /// Whether the calling code is tracked.
  @inline(__always)
  static var isTracked: Bool {
    let asking = asking
    asking.subject._withUnsafeGuaranteedRef { subject in
      asking.path._withUnsafeGuaranteedRef { path in
        asking.registrar.pointee.access(subject, keyPath: path)
      }
    }
    return ocd_take_tracking()
  }
}
