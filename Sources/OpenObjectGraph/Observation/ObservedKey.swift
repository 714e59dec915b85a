public import Observation
internal import OpenObjectModel
internal import Synchronization

/// What of a managed object can be observed: a property, a name that is no property of the model, or its standing.
enum ObservedKey: Hashable, Sendable {
  /// A property of the model, by ordinal.
  case property(Int)
  /// A key that code passes to `willAccessValue(forKey:)` or `willChangeValue(forKey:)` and that is not in the model.
  case named(String)
  /// Whether the object is a fault, inserted, updated or deleted.
  case standing

  /// The key of a name.
  init(_ name: String, of object: NSManagedObject) {
    self = object.compiledEntity.ordinal(of: name).map(ObservedKey.property) ?? .named(name)
  }

  /// The name under which a change is reported; nil for the standing.
  func name(in object: NSManagedObject) -> String? {
    switch self {
    case .property(let ordinal): object.compiledEntity.properties[ordinal].name
    case .named(let name): name
    case .standing: nil
    }
  }
}

/// Notices whether code that runs now is tracked by `withObservationTracking(_:onChange:)`.
///
/// Observation has no function that tells. But it puts the key path of each access that it tracks into a set, so that it asks
/// the probe in that key path for a hash value, and asks for none when it tracks nothing.
final class TrackingProbe: Hashable, Sendable {
  private let isMet = Atomic<Bool>(false)

  static func == (left: TrackingProbe, right: TrackingProbe) -> Bool { left === right }

  func hash(into hasher: inout Hasher) {
    isMet.store(true, ordering: .relaxed)
    hasher.combine(ObjectIdentifier(self))
  }

  /// Whether a hash value was requested since the last call.
  @inline(__always)
  func takeMeeting() -> Bool {
    guard isMet.load(ordering: .relaxed) else { return false }
    isMet.store(false, ordering: .relaxed)
    return true
  }
}

/// Managed objects work with `withObservationTracking(_:onChange:)` and `Observations` where their context tracks
/// observation, see ``NSManagedObjectContext/tracksObservation``.
///
/// > Reference: Addition; Apple's managed objects are observed through Combine and key-value observing.
extension NSManagedObject: Observable {
  /// Stands for a property in the key paths that Observation compares; never read.
  final subscript(observed key: ObservedKey) -> Void { () }
  /// Stands for any property in the key path of a probe; never read.
  final subscript(probe probe: TrackingProbe) -> Void { () }
}
