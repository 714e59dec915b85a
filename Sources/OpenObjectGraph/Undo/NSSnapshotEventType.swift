/// The events that can replace an object's values.
///
/// The library passes exactly one event to each call of
/// ``NSManagedObject/awake(fromSnapshotEvents:)``. An override of this method can compute values
/// that depend on the replaced values, for example the values of transient attributes. The context
/// calls the method before it posts the notification about the event.
///
/// > Reference: Apple, NSSnapshotEventType.
public struct NSSnapshotEventType: OptionSet, Sendable {
  /// The set of events as a bit mask.
  public let rawValue: UInt

  /// Creates a set of events from a bit mask.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// An insertion was undone or redone.
  public static let undoInsertion = NSSnapshotEventType(rawValue: 1 << 1)
  /// A deletion was undone or redone.
  public static let undoDeletion = NSSnapshotEventType(rawValue: 1 << 2)
  /// A change to values was undone or redone.
  public static let undoUpdate = NSSnapshotEventType(rawValue: 1 << 3)
  /// Unsaved changes were rolled back.
  public static let rollback = NSSnapshotEventType(rawValue: 1 << 4)
  /// A refresh, a merge or a refreshing fetch replaced the object's saved values; the object kept
  /// its unsaved changes.
  public static let refresh = NSSnapshotEventType(rawValue: 1 << 5)
  /// A merge policy resolved a version conflict of the object.
  public static let mergePolicy = NSSnapshotEventType(rawValue: 1 << 6)
}
