public import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// One object whose row changed between reading and saving.
///
/// > Concurrency: Confined to the queue of the object's context, except the snapshots and versions.
/// > Reference: Apple, NSMergeConflict.
public class NSMergeConflict: NSObject {
  /// The object to be saved.
  public let sourceObject: NSManagedObject
  /// Its values: attributes, and ids of to-one relationships; `NSNull` for nil.
  public let objectSnapshot: [String: Any]?
  /// The values with which the object was read; nil for a conflict with only the store.
  public let cachedSnapshot: [String: Any]?
  /// The values in the store; nil when the row is deleted.
  public let persistedSnapshot: [String: Any]?
  /// The version in the store; 0 for a deleted row.
  public let newVersionNumber: Int
  /// The version that the object was read with.
  public let oldVersionNumber: Int
  /// The row in the store, for the policies.
  let storedRow: Row?
  /// What the conflict is about, for the policies.
  let cause: Cause

  /// What a save found.
  enum Cause {
    /// The object's row has another version, or was deleted.
    case version
    /// The object's row was deleted, and unsaved relationships refer to it.
    case lostDestination([LostReference])
    /// The object is to be deleted, and rows that the context does not know refer to it.
    case remainingReferences(RemainingReferences)
  }

  /// Creates a conflict; for tests of policies, and for custom stores.
  ///
  /// > Reference: Apple, init(source:newVersion:oldVersion:cachedSnapshot:persistedSnapshot:).
  public init(
    source: NSManagedObject, newVersion: Int, oldVersion: Int, cachedSnapshot: [String: Any]?,
    persistedSnapshot: [String: Any]?
  ) {
    sourceObject = source
    objectSnapshot = source.snapshotValues(of: nil)
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
    // The values of a fault are not looked for: its row may be gone.
    objectSnapshot = object.snapshotValues(of: object.contents == .fault ? object.row : nil)
    self.cause = cause
    cachedSnapshot = object.snapshotValues(of: object.row)
    persistedSnapshot = stored.map { object.snapshotValues(of: $0) }
    newVersionNumber = Int(clamping: stored?.version ?? 0)
    oldVersionNumber = Int(clamping: expected)
    storedRow = stored
    super.init()
  }

  public override var description: String {
    if case .remainingReferences(let references) = cause {
      return "NSMergeConflict for \(sourceObject.objectID), which is to be deleted, while "
        + "\(references.keys.count) other rows refer to it"
    }
    return
      "NSMergeConflict for \(sourceObject.objectID) with version \(oldVersionNumber), while the store has "
      + (newVersionNumber == 0 ? "deleted it" : "version \(newVersionNumber)")
  }
}

extension NSManagedObject {
  /// Attributes and ids of to-one relationships, of a row or of the object with its edits.
  final func snapshotValues(of row: Row?) -> [String: Any] {
    var values: [String: Any] = [:]
    for property in compiledEntity.properties where property.slot != nil {
      let value =
        row.map { $0.value(of: property, in: compiledEntity.model) }
        ?? packedValue(property)
      values[property.name] = snapshotValue(value, property)
    }
    return values
  }

  private final func snapshotValue(_ value: Value, _ property: CompiledProperty) -> Any {
    guard let relationship = property.relationship else { return value.anyValue ?? NSNull() }
    guard case .object(let reference) = value else { return NSNull() }
    return NSManagedObjectID(
      store: store, entity: compiledEntity.model.entities[relationship.destinationIndex],
      key: reference.key)
  }
}
