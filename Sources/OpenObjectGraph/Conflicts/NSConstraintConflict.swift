public import Foundation

/// Objects with the same values under a uniqueness constraint.
///
/// > Concurrency: Confined to the queue of the objects' context.
/// > Reference: Apple, NSConstraintConflict.
public class NSConstraintConflict: NSObject {
  /// The constraint: names of properties that no two objects may share the values of.
  public let constraint: [String]
  /// The values that they share, by property.
  public let constraintValues: [String: Any]
  /// The saved object that has the values; nil when all that have them are unsaved.
  public let databaseObject: NSManagedObject?
  /// The saved object's stored values.
  public let databaseSnapshot: [String: Any]?
  /// The unsaved objects that have the values, in the order of their insertion.
  public let conflictingObjects: [NSManagedObject]
  /// Their values.
  public let conflictingSnapshots: [[AnyHashable: Any]]

  /// Makes a conflict; for tests of policies, and for stores of one's own.
  ///
  /// > Reference: Apple, init(constraint:database:databaseSnapshot:conflicting:conflictingSnapshots:).
  public init(
    constraint: [String], database: NSManagedObject?, databaseSnapshot: [AnyHashable: Any]?,
    conflicting: [NSManagedObject], conflictingSnapshots: [[AnyHashable: Any]]
  ) {
    self.constraint = constraint
    databaseObject = database
    self.databaseSnapshot = databaseSnapshot.map { snapshot in
      Dictionary(
        uniqueKeysWithValues: snapshot.compactMap { key, value in
          (key.base as? String).map { ($0, value) }
        })
    }
    conflictingObjects = conflicting
    self.conflictingSnapshots = conflictingSnapshots
    let values = conflicting.first?.snapshotValues(of: nil) ?? [:]
    constraintValues = values.filter { constraint.contains($0.key) }
    super.init()
  }

  public override var description: String {
    let values = constraintValues.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return "NSConstraintConflict of \(conflictingObjects.count) objects under "
      + "(\(constraint.joined(separator: ", "))) with \(values.joined(separator: ", "))"
      + (databaseObject.map { "; saved as \($0.objectID)" } ?? "")
  }
}
