internal import Foundation
internal import OpenObjectGraph

/// A merge policy that applies the policy of a context, and records the objects into which new
/// objects were merged because of uniqueness constraints.
///
/// > Concurrency: Confined to one save on the context's queue.
// Invariant of the unchecked conformance: only one save of one context uses the policy.
final class InsertionPolicy: NSMergePolicy, @unchecked Sendable {
  private let policy: NSMergePolicy
  /// The surviving objects, by the identity of the merged object.
  private var survivors: [ObjectIdentifier: NSManagedObject] = [:]

  init(_ policy: NSMergePolicy) {
    self.policy = policy
    super.init(merge: policy.mergeType)
    readsValues = type(of: policy) != NSMergePolicy.self && policy.readsValues
  }

  override func resolve(mergeConflicts list: [Any]) throws {
    try policy.resolve(mergeConflicts: list)
    for case let conflict as NSConstraintConflict in list { noteMerges(of: conflict) }
  }

  private func noteMerges(of conflict: NSConstraintConflict) {
    let objects = conflict.conflictingObjects
    let survivor =
      conflict.databaseObject ?? objects.first { $0.managedObjectContext != nil } ?? objects.first
    for object in objects where object !== survivor && object.managedObjectContext == nil {
      survivors[ObjectIdentifier(object)] = survivors[ObjectIdentifier(object)] ?? survivor
    }
  }

  /// Returns the id of a saved object, or of the saved object that it was merged into.
  func savedID(of object: NSManagedObject) -> NSManagedObjectID {
    var object = object
    while object.objectID.isTemporaryID, let survivor = survivors[ObjectIdentifier(object)] {
      object = survivor
    }
    return object.objectID
  }
}
