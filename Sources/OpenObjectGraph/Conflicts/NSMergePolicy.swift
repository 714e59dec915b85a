public import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The types of merge policy.
///
/// > Reference: Apple, NSMergePolicyType.
public enum NSMergePolicyType: UInt, Sendable {
  /// The type of ``NSMergePolicy/error``, with which a save with conflicts throws an error.
  case errorMergePolicyType = 0
  /// The type of ``NSMergePolicy/mergeByPropertyStoreTrump``, which merges changes by property and
  /// prefers the store's values.
  case mergeByPropertyStoreTrumpMergePolicyType = 1
  /// The type of ``NSMergePolicy/mergeByPropertyObjectTrump``, which merges changes by property and
  /// prefers the object's values.
  case mergeByPropertyObjectTrumpMergePolicyType = 2
  /// The type of ``NSMergePolicy/overwrite``, with which the context overwrites the stored rows.
  case overwriteMergePolicyType = 3
  /// The type of ``NSMergePolicy/rollback``, with which the context discards its changes.
  case rollbackMergePolicyType = 4
}

/// A policy that resolves conflicts between a context and a store.
///
/// A save passes all conflicts to the context's policy. The policy either throws or changes the
/// objects so that a retry can succeed. Subclasses override one of the `resolve` methods and call
/// super.
///
/// > Concurrency: Several contexts may share a policy. The policy's methods run on the queue of the
/// > saving context.
/// > Reference: Apple, NSMergePolicy.
// Invariant of the unchecked conformance: immutable; subclasses answer for their own state.
open class NSMergePolicy: NSObject, @unchecked Sendable {
  /// The type of the policy, which determines how the policy resolves conflicts.
  public let mergeType: NSMergePolicyType
  /// Whether the policy may read a conflict's values after it has changed the conflict's objects.
  /// If true, a save copies the values before it calls the policy. Only initializers of subclasses
  /// set this property.
  package final var readsValues = true
  /// Whether the object that survives a constraint conflict also takes an attribute's nil from a
  /// discarded object that never set the attribute. Only initializers of subclasses set this
  /// property.
  package final var takesUnsetValues = false

  /// Creates a policy of the given type.
  public init(merge type: NSMergePolicyType) { mergeType = type }

  /// A policy that throws an error if a save has conflicts: `CocoaError` 133021 if all conflicts
  /// are violations of uniqueness constraints, and 133020 otherwise.
  public static let error = NSMergePolicy(merge: .errorMergePolicyType)
  /// A policy that discards the unsaved changes to objects with conflicts.
  public static let rollback = NSMergePolicy(merge: .rollbackMergePolicyType)
  /// A policy that overwrites the stored rows with the complete state of the objects.
  public static let overwrite = NSMergePolicy(merge: .overwriteMergePolicyType)
  /// A policy that merges changes by property, and keeps the object's value if a property changed
  /// on both sides.
  ///
  /// The two sides are the object in the context and the row in the store.
  public static let mergeByPropertyObjectTrump = NSMergePolicy(
    merge: .mergeByPropertyObjectTrumpMergePolicyType)
  /// A policy that merges changes by property, and keeps the store's value if a property changed on
  /// both sides.
  ///
  /// The two sides are the object in the context and the row in the store.
  public static let mergeByPropertyStoreTrump = NSMergePolicy(
    merge: .mergeByPropertyStoreTrumpMergePolicyType)

  /// Resolves the conflicts that a save has detected.
  ///
  /// The method first passes conflicts with changed rows to `resolve(optimisticLockingConflicts:)`,
  /// and then violations of uniqueness constraints to `resolve(constraintConflicts:)`.
  ///
  /// - Parameter list: `NSMergeConflict` and `NSConstraintConflict` objects; other elements are
  ///   ignored.
  /// - Throws: The errors of `resolve(optimisticLockingConflicts:)` and
  ///   `resolve(constraintConflicts:)`. For the error policy, these are `CocoaError` 133021 if the
  ///   array contains only constraint conflicts, and 133020 otherwise; the user info contains all
  ///   conflicts.
  /// > Reference: Apple, resolve(mergeConflicts:).
  open func resolve(mergeConflicts list: [Any]) throws {
    var versions: [NSMergeConflict] = []
    var constraints: [NSConstraintConflict] = []
    for conflict in list {
      if let conflict = conflict as? NSConstraintConflict {
        constraints.append(conflict)
      } else if let conflict = conflict as? NSMergeConflict {
        versions.append(conflict)
      }
    }
    if !versions.isEmpty {
      do {
        try resolve(optimisticLockingConflicts: versions)
      } catch let error as CocoaError where isFailure(error, of: versions) {
        throw Self.failure(of: versions + constraints)
      }
    }
    if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
  }

  /// Resolves conflicts with rows that changed in the store after the context read them.
  ///
  /// No policy restores a row that was deleted in the store. If the context deletes an object whose
  /// row was changed, the rollback policy undoes the deletion of this object. An unsaved change may
  /// set a relationship to an object whose row was deleted. In this case, the store-trump and
  /// rollback policies restore the stored destination, and the object-trump and overwrite policies
  /// set the relationship to nil. If the context deletes an object, the delete rule also applies to
  /// referring rows that the context has not loaded. The resolution of one side of a one-to-one
  /// relationship also applies to the other side.
  ///
  /// - Parameter list: The conflicts; an empty array changes nothing.
  /// - Throws: The error of the store if referring rows cannot be read, or `CocoaError` with one of
  ///   the following codes:
  ///   - 133020: The policy is the error policy, a mandatory relationship would lose its
  ///     destination, or a to-many relationship would have too few members.
  ///   - 1600: A deny rule prevents the deletion of an object.
  ///   - 1570: A nullify rule would empty a mandatory relationship.
  /// > Reference: Apple, resolve(optimisticLockingConflicts:).
  open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    if mergeType == .errorMergePolicyType, !list.isEmpty { throw Self.failure(of: list) }
    try VersionResolution(type: mergeType).apply(to: list)
  }

  /// Resolves violations of uniqueness constraints, keeping one object from each conflict.
  ///
  /// If one of the objects is already saved with the conflicting values, this object survives.
  /// Otherwise, the first unsaved object survives. The other unsaved objects leave the context.
  ///
  /// - With the object-trump and overwrite policies, the survivor takes the values and
  ///   relationships of the other objects.
  /// - With the store-trump policy, the survivor keeps its values, takes the to-many members of the
  ///   other objects, and takes a to-one destination only if the survivor has none.
  /// - With the rollback policy, the survivor keeps its values and relationships.
  ///
  /// Until the save ends, the objects that leave the context keep their values. Changing a
  /// relationship from or to such an object changes the relationship of the survivor instead.
  ///
  /// Objects that a custom policy deleted before the call do not survive. Finally, the method
  /// applies the delete rules of these objects, so that relationships no longer contain them.
  ///
  /// Two saved objects can also conflict, if an unsaved change gave one object the values of the
  /// other object. In this case, the store-trump policy restores the changed object's stored values
  /// for the constraint. The rollback policy restores all stored values of the changed object. The
  /// object-trump and overwrite policies throw an error, because these policies would have to
  /// delete a row. The object-trump and overwrite policies also throw an error if the entity of an
  /// unsaved object is neither the survivor's entity nor an ancestor of that entity. Otherwise,
  /// values of the unsaved object would be lost.
  ///
  /// - Parameter list: The conflicts; an empty array changes nothing.
  /// - Throws: `CocoaError` 133021 if the policy is the error policy, or if the policy would have
  ///   to delete a row or lose values.
  /// > Reference: Apple, resolve(constraintConflicts:).
  open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    if mergeType == .errorMergePolicyType, !list.isEmpty { throw Self.failure(of: list) }
    var resolution = ConstraintResolution(type: mergeType, takesUnsetValues: takesUnsetValues)
    // All conflicts of a save belong to one context, which discarded objects leave.
    let context = list.lazy.compactMap { $0.conflictingObjects.first?.context }.first
    defer {
      resolution.redirectRelationships()
      if let context { DeleteRules(in: context).apply() }
    }
    for conflict in list { try resolution.apply(to: conflict) }
  }

  /// Returns whether an error is the error policy's error for conflicts with changed rows.
  private func isFailure(_ error: CocoaError, of versions: [NSMergeConflict]) -> Bool {
    mergeType == .errorMergePolicyType && error.code == .managedObjectMerge
      && error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] == versions
  }

  /// Returns the error for unresolved conflicts.
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
      "Objects with the same values for a uniqueness constraint already exist: "
        + "\(names.joined(separator: "; ")). Change the values, fetch and update the other objects, or set a merge "
        + "policy.",
      userInfo: userInfo)
  }
}

/// The policy that throws an error if a save has conflicts: `CocoaError` 133021 if all conflicts
/// are violations of uniqueness constraints, and 133020 otherwise.
public let NSErrorMergePolicy: any AnyObject & Sendable = NSMergePolicy.error
/// The policy that discards the unsaved changes to objects with conflicts.
public let NSRollbackMergePolicy: any AnyObject & Sendable = NSMergePolicy.rollback
/// The policy that overwrites the stored rows with the complete state of the objects.
public let NSOverwriteMergePolicy: any AnyObject & Sendable = NSMergePolicy.overwrite
/// The policy that merges changes by property, and keeps the object's value if a property changed
/// on both sides.
///
/// The two sides are the object in the context and the row in the store.
public let NSMergeByPropertyObjectTrumpMergePolicy: any AnyObject & Sendable =
  NSMergePolicy.mergeByPropertyObjectTrump
/// The policy that merges changes by property, and keeps the store's value if a property changed on
/// both sides.
///
/// The two sides are the object in the context and the row in the store.
public let NSMergeByPropertyStoreTrumpMergePolicy: any AnyObject & Sendable =
  NSMergePolicy.mergeByPropertyStoreTrump
