public import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// What a save does with rows that changed meanwhile.
///
/// > Reference: Apple, NSMergePolicyType.
public enum NSMergePolicyType: UInt, Sendable {
  case errorMergePolicyType = 0
  case mergeByPropertyStoreTrumpMergePolicyType = 1
  case mergeByPropertyObjectTrumpMergePolicyType = 2
  case overwriteMergePolicyType = 3
  case rollbackMergePolicyType = 4
}

/// A policy for conflicts between a context and a store.
///
/// > Reference: Apple, NSMergePolicy.
// Invariant of the unchecked conformance: immutable.
open class NSMergePolicy: NSObject, @unchecked Sendable {
  /// What the policy does.
  public let mergeType: NSMergePolicyType

  /// Makes a policy.
  public init(merge type: NSMergePolicyType) { mergeType = type }

  /// The save fails.
  public static let error = NSMergePolicy(merge: .errorMergePolicyType)
  /// Changes of the conflicting objects are dropped.
  public static let rollback = NSMergePolicy(merge: .rollbackMergePolicyType)
  /// The object's state is written as a whole.
  public static let overwrite = NSMergePolicy(merge: .overwriteMergePolicyType)
  /// Property by property; where both changed, the object's value wins.
  public static let mergeByPropertyObjectTrump = NSMergePolicy(
    merge: .mergeByPropertyObjectTrumpMergePolicyType)
  /// Property by property; where both changed, the store's value wins.
  public static let mergeByPropertyStoreTrump = NSMergePolicy(
    merge: .mergeByPropertyStoreTrumpMergePolicyType)
}

/// The policy that makes a save with conflicts fail.
public let NSErrorMergePolicy: any AnyObject & Sendable = NSMergePolicy.error
/// The policy that drops the changes of conflicting objects.
public let NSRollbackMergePolicy: any AnyObject & Sendable = NSMergePolicy.rollback
/// The policy that writes conflicting objects as a whole.
public let NSOverwriteMergePolicy: any AnyObject & Sendable = NSMergePolicy.overwrite
/// The policy that merges by property and prefers the object.
public let NSMergeByPropertyObjectTrumpMergePolicy: any AnyObject & Sendable =
  NSMergePolicy.mergeByPropertyObjectTrump
/// The policy that merges by property and prefers the store.
public let NSMergeByPropertyStoreTrumpMergePolicy: any AnyObject & Sendable =
  NSMergePolicy.mergeByPropertyStoreTrump

/// One object whose row changed between reading and saving.
///
/// > Reference: Apple, NSMergeConflict.
public class NSMergeConflict: NSObject {
  /// The object to be saved.
  public let sourceObject: NSManagedObject
  /// Its values.
  public let objectSnapshot: [String: Any]?
  /// The version in the store; 0 for a deleted row.
  public let newVersionNumber: Int
  /// The version that the object was read with.
  public let oldVersionNumber: Int
  /// The values in the store.
  public let persistedSnapshot: [String: Any]?

  init(_ object: NSManagedObject, expected: Int64, stored: Row?) {
    sourceObject = object
    objectSnapshot = object.snapshotValues(of: nil)
    newVersionNumber = Int(stored?.version ?? 0)
    oldVersionNumber = Int(expected)
    persistedSnapshot = stored.map { object.snapshotValues(of: $0) }
  }
}

extension NSManagedObject {
  /// Attributes and to-one keys of a row, or of the object with its edits.
  final func snapshotValues(of row: Row?) -> [String: Any] {
    var values: [String: Any] = [:]
    for property in compiledEntity.properties where property.slot != nil {
      let value =
        row.map { $0.value(of: property, in: compiledEntity.model) }
        ?? packedValue(property)
      values[property.name] = value.anyValue ?? NSNull()
    }
    return values
  }
}

/// Applies a context's merge policy to the conflicts of a commit that wrote nothing.
struct ConflictResolver {
  let context: NSManagedObjectContext
  let store: NSPersistentStore
  let position: Int

  private var policy: NSMergePolicyType {
    (context.mergePolicy as? NSMergePolicy)?.mergeType ?? .errorMergePolicyType
  }

  /// Changes the objects so that the next try can succeed.
  ///
  /// - Throws: `CocoaError` 133020 or 133021 with all conflicts when the policy does not resolve them.
  func resolve(_ conflicts: [StoreConflict]) throws {
    try throwConstraints(conflicts)
    if policy == .errorMergePolicyType { throw mergeError(conflicts) }
    for case .version(let id, _, let stored) in conflicts {
      guard let object = object(id) else { continue }
      switch stored {
      case .found(let row): rebase(object, on: row)
      case .deleted: acceptDeletion(of: object)
      }
    }
  }

  private func object(_ id: ObjectKey) -> NSManagedObject? {
    let root = context.model.entities[Int(id.entityIndex)].rootIndex
    return context.registry.identityMap.object(store: position, root: root, key: id.key)
  }

  private func throwConstraints(_ conflicts: [StoreConflict]) throws {
    var violations: [String] = []
    for case .constraint(_, let entityIndex, let properties) in conflicts {
      let entity = context.model.entities[entityIndex].name
      violations.append("\(entity) (\(properties.joined(separator: ", ")))")
    }
    guard !violations.isEmpty else { return }
    throw CocoaError.make(
      .managedObjectConstraintMerge,
      "Objects with the same values under a uniqueness constraint exist already: "
        + "\(violations.joined(separator: "; ")). Change the values, or fetch and update the others."
    )
  }

  private func mergeError(_ conflicts: [StoreConflict]) -> CocoaError {
    var list: [NSMergeConflict] = []
    for case .version(let id, let expected, let stored) in conflicts {
      guard let object = object(id) else { continue }
      var row: Row?
      if case .found(let found) = stored { row = found }
      list.append(NSMergeConflict(object, expected: expected, stored: row))
    }
    return CocoaError.make(
      .managedObjectMerge,
      "Could not merge changes: \(list.count) objects changed in the store since they were read. "
        + "Refresh them or set a merge policy.",
      userInfo: [NSPersistentStoreSaveConflictsErrorKey: list])
  }

  private func rebase(_ object: NSManagedObject, on row: Row) {
    let old = object.row
    switch policy {
    case .rollbackMergePolicyType:
      object.edits = nil
      context.unitOfWork.discardUpdate(of: object)
    case .mergeByPropertyStoreTrumpMergePolicyType:
      dropEdits(of: object, changedBetween: old, and: row)
    case .overwriteMergePolicyType:
      keepValues(of: object, changedBetween: old, and: row)
    default: break
    }
    object.row = row
  }

  private func changed(
    _ object: NSManagedObject, _ old: Row, _ new: Row
  ) -> [CompiledProperty] {
    object.compiledEntity.properties.filter { property in
      property.slot != nil
        && old.value(of: property, in: context.model) != new.value(of: property, in: context.model)
    }
  }

  private func dropEdits(of object: NSManagedObject, changedBetween old: Row, and new: Row) {
    for property in changed(object, old, new) { object.edits?.remove(property.ordinal) }
  }

  private func keepValues(of object: NSManagedObject, changedBetween old: Row, and new: Row) {
    for property in changed(object, old, new) where object.edits?.contains(property.ordinal) != true
    {
      object.setEdit(.value(old.value(of: property, in: context.model)), property.ordinal)
    }
  }

  private func acceptDeletion(of object: NSManagedObject) {
    if object.registration == .persistent {
      context.unitOfWork.delete(object)
      object.registration = .deleted
    }
    object.flags.insert(.missingRow)
  }
}
