public import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The ways in which a save resolves conflicts with changed rows.
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
/// A save passes all conflicts to the context's policy, which changes the objects so that the retry can succeed, or
/// throws. Subclasses override one of the `resolve` methods and call super.
///
/// > Concurrency: A policy may serve several contexts; its methods run on the queue of the saving one.
/// > Reference: Apple, NSMergePolicy.
// Invariant of the unchecked conformance: immutable; subclasses answer for their own state.
open class NSMergePolicy: NSObject, @unchecked Sendable {
  /// The policy's type.
  public let mergeType: NSMergePolicyType

  /// Creates a policy.
  public init(merge type: NSMergePolicyType) { mergeType = type }

  /// The save fails.
  public static let error = NSMergePolicy(merge: .errorMergePolicyType)
  /// Changes of the conflicting objects are dropped.
  public static let rollback = NSMergePolicy(merge: .rollbackMergePolicyType)
  /// The complete state of the object is written.
  public static let overwrite = NSMergePolicy(merge: .overwriteMergePolicyType)
  /// Property by property; where both changed, the object's value wins.
  public static let mergeByPropertyObjectTrump = NSMergePolicy(
    merge: .mergeByPropertyObjectTrumpMergePolicyType)
  /// Property by property; where both changed, the store's value wins.
  public static let mergeByPropertyStoreTrump = NSMergePolicy(
    merge: .mergeByPropertyStoreTrumpMergePolicyType)

  /// Resolves the conflicts of a save: those of versions first, then those of constraints.
  ///
  /// - Parameter list: `NSMergeConflict` and `NSConstraintConflict` objects.
  /// - Throws: `CocoaError` 133020 or 133021 with all conflicts for the error policy.
  /// > Reference: Apple, resolve(mergeConflicts:).
  open func resolve(mergeConflicts list: [Any]) throws {
    if mergeType == .errorMergePolicyType, !list.isEmpty { throw Self.failure(of: list) }
    var versions: [NSMergeConflict] = []
    var constraints: [NSConstraintConflict] = []
    for conflict in list {
      if let conflict = conflict as? NSConstraintConflict {
        constraints.append(conflict)
      } else if let conflict = conflict as? NSMergeConflict {
        versions.append(conflict)
      }
    }
    if !versions.isEmpty { try resolve(optimisticLockingConflicts: versions) }
    if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
  }

  /// Resolves conflicts with rows that changed since they were read.
  ///
  /// A row that was deleted stays deleted with every policy. If an unsaved relationship refers to it, store trump and
  /// rollback restore the stored destination; object trump and overwrite set nil. If rows that the
  /// context has not loaded refer to an object that it deletes, the delete rule also applies to them. The decision
  /// for one side of a one-to-one relationship also applies to the other side.
  ///
  /// - Throws: `CocoaError` 133020 for the error policy, and if a mandatory relationship loses its destination; 1570
  ///   and 1600 if a delete rule cannot be applied.
  /// > Reference: Apple, resolve(optimisticLockingConflicts:).
  open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    if mergeType == .errorMergePolicyType, !list.isEmpty { throw Self.failure(of: list) }
    try VersionResolution(type: mergeType).apply(to: list)
  }

  /// Resolves conflicts under uniqueness constraints: one object survives, the saved one if there is any.
  ///
  /// With object trump and overwrite, the survivor takes the values of the other objects; with store trump, it keeps
  /// its own. In both cases it takes their relationships. With rollback, the other objects are discarded with their
  /// relationships. A saved object that was changed to the values of another saved object gets its stored values back
  /// with store trump and rollback; with object trump and overwrite the save throws, because a row would have to be
  /// deleted.
  ///
  /// - Throws: `CocoaError` 133021 for the error policy, and if no object may be discarded.
  /// > Reference: Apple, resolve(constraintConflicts:).
  open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    if mergeType == .errorMergePolicyType, !list.isEmpty { throw Self.failure(of: list) }
    var resolution = ConstraintResolution(type: mergeType)
    defer { resolution.redirectRelationships() }
    for conflict in list { try resolution.apply(to: conflict) }
  }

  /// The error of conflicts that were not resolved.
  static func failure(of list: [Any]) -> CocoaError {
    let constraints = list.compactMap { $0 as? NSConstraintConflict }
    let count = list.count - constraints.count
    let userInfo: [String: Any] = [NSPersistentStoreSaveConflictsErrorKey: list]
    if count > 0 {
      return CocoaError.make(
        .managedObjectMerge,
        "Could not merge changes: \(count) objects changed in the store since they were read. "
          + "Refresh them or set a merge policy.",
        userInfo: userInfo)
    }
    let names = constraints.map { conflict in
      let entity = conflict.conflictingObjects.first?.compiledEntity.name ?? "objects"
      return "\(entity) (\(conflict.constraint.joined(separator: ", ")))"
    }
    return CocoaError.make(
      .managedObjectConstraintMerge,
      "Objects with the same values under a uniqueness constraint exist already: "
        + "\(names.joined(separator: "; ")). Change the values, fetch and update the other objects, or set a merge "
        + "policy.",
      userInfo: userInfo)
  }
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
