public import Observation
internal import OpenObjectModel
internal import Synchronization

/// An observable part of a managed object: a property, a name outside the model, or its state.
enum ObservedKey: Hashable, Sendable {
  /// A property of the model, by ordinal.
  case property(Int)
  /// A key outside the model, passed to `willAccessValue(forKey:)` or `willChangeValue(forKey:)`.
  case named(String)
  /// Whether the object is a fault, inserted, updated or deleted.
  case standing

  /// Creates the key for a name.
  init(_ name: String, of object: NSManagedObject) {
    self = object.compiledEntity.ordinal(of: name).map(ObservedKey.property) ?? .named(name)
  }

  /// Returns the name under which a change is reported; nil for the standing.
  func name(in object: NSManagedObject) -> String? {
    switch self {
    case .property(let ordinal): object.compiledEntity.properties[ordinal].name
    case .named(let name): name
    case .standing: nil
    }
  }
}

/// Detects whether the running code is tracked by `withObservationTracking(_:onChange:)`.
///
/// Observation has no function for this purpose. However, Observation inserts the key path of each
/// tracked access into a set, and therefore requests a hash value from the probe in the key path.
/// Observation requests no hash value for an access that is not tracked.
final class TrackingProbe: Hashable, Sendable {
  private let isMet = Atomic<Bool>(false)

  static func == (left: TrackingProbe, right: TrackingProbe) -> Bool { left === right }

  func hash(into hasher: inout Hasher) {
    isMet.store(true, ordering: .relaxed)
    hasher.combine(ObjectIdentifier(self))
  }

  /// Returns whether a hash value was requested since the last call.
  @inline(__always)
  func takeMeeting() -> Bool {
    guard isMet.load(ordering: .relaxed) else { return false }
    isMet.store(false, ordering: .relaxed)
    return true
  }
}

/// `withObservationTracking(_:onChange:)` and `Observations` can track managed objects.
///
/// To enable tracking, set ``NSManagedObjectContext/tracksObservation`` of the objects' context.
/// Apple's managed objects are observed through Combine and key-value observing.
///
/// This is an addition to Apple's API.
extension NSManagedObject: Observable {
  /// Represents a property in the key paths that Observation compares; never read.
  final subscript(observed key: ObservedKey) -> Void { () }
  /// Represents any property in the key path of a probe; never read.
  final subscript(probe probe: TrackingProbe) -> Void { () }
}
