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

  // Never released; used without counting, which would cost more than the question.
  private static let asking = Unmanaged.passRetained(Asking())

  /// Whether the calling code is tracked.
  @inline(__always)
  static var isTracked: Bool {
    asking._withUnsafeGuaranteedRef { $0.registrar.access($0.subject, keyPath: $0.path) }
    return ocd_take_tracking()
  }
}
