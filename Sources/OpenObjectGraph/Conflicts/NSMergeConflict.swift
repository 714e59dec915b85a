public import Foundation
internal import OpenStoreContract

/// A conflict between a save and the store, for one object.
///
/// Usually, the row of the object changed or was deleted after the context read the row. If the
/// save deletes the object, the conflict can also be that other rows still refer to the object.
///
/// > Concurrency: Confined to the queue of the object's context. The snapshots and versions may be
/// > read on any thread.
/// > Reference: Apple, NSMergeConflict.
open class NSMergeConflict: NSObject {
  /// The object that the save writes or deletes.
  open private(set) var sourceObject: NSManagedObject
  /// The object's attribute values and the ids of its to-one destinations, by property name;
  /// `NSNull` for a property without a value. The dictionary is never nil.
  ///
  /// This snapshot, ``cachedSnapshot`` and ``persistedSnapshot`` omit stored values that cannot be
  /// read.
  open private(set) var objectSnapshot: [String: Any]?
  /// The values that the context last read or saved for the object, by property name; nil only if
  /// the initializer received nil.
  open private(set) var cachedSnapshot: [String: Any]?
  /// The values in the store, by property name; nil if the row is deleted.
  open private(set) var persistedSnapshot: [String: Any]?
  /// The row version in the store; 0 for a deleted row.
  open private(set) var newVersionNumber: Int
  /// The row version that the context last read or saved for the object.
  open private(set) var oldVersionNumber: Int
  /// The row in the store, which the built-in policies use.
  let storedRow: Row?
  /// The cause of the conflict, which the built-in policies use.
  let cause: Cause

  /// The causes of a conflict.
  enum Cause {
    /// The object's row has another version, or was deleted.
    case version
    /// The object's row was deleted, and unsaved relationships refer to it.
    case lostDestination([LostReference])
    /// The save deletes the object, and rows that the context has not loaded refer to it.
    case remainingReferences(RemainingReferences)
  }

  /// Creates a conflict, for use in custom stores and in tests of merge policies.
  ///
  /// - Parameters:
  ///   - source: The object that the save writes or deletes.
  ///   - newVersion: The row version in the store; 0 for a deleted row.
  ///   - oldVersion: The row version that the context last read for the object.
  ///   - cachedSnapshot: The values that the context last read for the object, by property name;
  ///     nil if these values are unknown.
  ///   - persistedSnapshot: The values in the store, by property name; nil if the row is deleted.
  /// > Reference: Apple, init(source:newVersion:oldVersion:cachedSnapshot:persistedSnapshot:).
  public init(
    source: NSManagedObject, newVersion: Int, oldVersion: Int, cachedSnapshot: [String: Any]?,
    persistedSnapshot: [String: Any]?
  ) {
    sourceObject = source
    objectSnapshot = ConflictSnapshot.values(of: source, in: nil)
    self.cachedSnapshot = cachedSnapshot
    self.persistedSnapshot = persistedSnapshot
    newVersionNumber = newVersion
    oldVersionNumber = oldVersion
    storedRow = nil
    cause = .version
    super.init()
  }

  init(
    _ object: NSManagedObject, expected: Int64, stored: Row?, cause: Cause = .version
  ) {
    sourceObject = object
    // A fault is not fired for its values, because its row may be missing.
    objectSnapshot = ConflictSnapshot.values(
      of: object, in: object.contents == .fault ? object.row : nil)
    self.cause = cause
    cachedSnapshot = ConflictSnapshot.values(of: object, in: object.row)
    persistedSnapshot = stored.map { ConflictSnapshot.values(of: object, in: $0) }
    newVersionNumber = Int(clamping: stored?.version ?? 0)
    oldVersionNumber = Int(clamping: expected)
    storedRow = stored
    super.init()
  }

  /// A description with the object's id and the conflicting row versions.
  ///
  /// If other rows still refer to an object that the save deletes, the description contains the
  /// number of these rows instead of the versions.
  open override var description: String {
    if case .remainingReferences(let references) = cause {
      return "NSMergeConflict for \(sourceObject.currentID), which is being deleted although "
        + "\(references.keys.count) other rows refer to it"
    }
    return
      "NSMergeConflict for \(sourceObject.currentID) with version \(oldVersionNumber), but "
      + (newVersionNumber == 0 ? "its row was deleted" : "its row has version \(newVersionNumber)")
  }
}
