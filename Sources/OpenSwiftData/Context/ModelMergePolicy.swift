internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// The merge policy of model contexts, which merges a new model into a stored model with the same
/// unique values.
///
/// The stored model takes all values of the new model, also nil. Relationships are merged as with
/// the object-trump policy.
///
/// > Concurrency: Any thread. A method runs where the context saves.
// Invariant of the unchecked conformance: the class has no state.
final class ModelMergePolicy: NSMergePolicy, @unchecked Sendable {
  static let shared = ModelMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)

  override init(merge type: NSMergePolicyType) {
    super.init(merge: type)
    readsValues = false
    takesUnsetValues = true
  }

  override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    // The policy may merge objects before it throws.
    let context = list.lazy.flatMap(\.conflictingObjects)
      .compactMap { $0.managedObjectContext as? GraphContext }.first
    defer { for conflict in list { noteMerges(of: conflict, in: context) } }
    do {
      try super.resolve(constraintConflicts: list)
    } catch let error as CocoaError where error.code == .managedObjectConstraintMerge {
      throw explained(error)
    }
  }

  /// Notes the objects of a conflict that left the context, because they were merged into the
  /// surviving object.
  private func noteMerges(of conflict: NSConstraintConflict, in context: GraphContext?) {
    let objects = conflict.conflictingObjects.compactMap { $0 as? __ModelObject }
    let stored = conflict.databaseObject as? __ModelObject
    // If no object is left, the first object survived, and another conflict merged it.
    guard let context,
      let survivor = stored ?? objects.first(where: { !$0.isDetached }) ?? objects.first
    else { return }
    for object in objects where object !== survivor && object.isDetached {
      context.noteMerge(of: object, into: survivor)
    }
  }

  /// Returns the error of a conflict between two stored models, or between models of different
  /// classes, with a description that applies to model contexts.
  private func explained(_ error: CocoaError) -> CocoaError {
    var userInfo = error.userInfo
    let conflicts = (userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [Any] ?? [])
      .compactMap { $0 as? NSConstraintConflict }
    let names = conflicts.map { conflict in
      let entity = conflict.conflictingObjects.first?.entity.name ?? "models"
      return "\(entity) (\(conflict.constraint.joined(separator: ", ")))"
    }
    userInfo[NSLocalizedFailureReasonErrorKey] = nil
    if conflicts.contains(where: { $0.conflictingObjects.contains(where: \.isInserted) }) {
      return CocoaError.make(
        .managedObjectConstraintMerge,
        "A new model has the same unique values as a model of another class: \(names.joined(separator: "; ")). Change the "
          + "values, delete the other model and save, or discard the changes with rollback().",
        userInfo: userInfo)
    }
    return CocoaError.make(
      .managedObjectConstraintMerge,
      "Two stored models would have the same unique values: \(names.joined(separator: "; ")). Fetch the stored models, and "
        + "change or delete one of them, or discard the changes with rollback().",
      userInfo: userInfo)
  }
}
