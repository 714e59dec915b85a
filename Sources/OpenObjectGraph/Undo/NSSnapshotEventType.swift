/// The events that can replace an object's values.
///
/// The library passes only ``undoInsertion``, ``undoDeletion`` and ``undoUpdate`` to
/// ``NSManagedObject/awake(fromSnapshotEvents:)``.
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
  /// Unsaved changes were rolled back; the library never passes this event.
  public static let rollback = NSSnapshotEventType(rawValue: 1 << 4)
  /// The object was refreshed and kept its unsaved changes; the library never passes this event.
  public static let refresh = NSSnapshotEventType(rawValue: 1 << 5)
  /// A merge policy resolved a conflict; the library never passes this event.
  public static let mergePolicy = NSSnapshotEventType(rawValue: 1 << 6)
}
