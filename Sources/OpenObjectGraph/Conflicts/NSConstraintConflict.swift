public import Foundation

/// Objects with the same values under a uniqueness constraint.
///
/// > Concurrency: Confined to the queue of the objects' context.
/// > Reference: Apple, NSConstraintConflict.
public class NSConstraintConflict: NSObject {
  /// The constraint: the names of the properties whose combined values must be unique.
  public let constraint: [String]
  /// The values that the objects share, by property.
  public var constraintValues: [String: Any] { values.shared }
  /// The saved object with the values; nil if all objects with them are unsaved.
  public let databaseObject: NSManagedObject?
  /// The saved object's stored values.
  public var databaseSnapshot: [String: Any]? { values.database }
  /// The unsaved objects that have the values, in the order of their insertion.
  public let conflictingObjects: [NSManagedObject]
  /// The values of the conflicting objects, in the same order.
  public var conflictingSnapshots: [[AnyHashable: Any]] { values.conflicting }

  /// What the objects hold, by property.
  private struct Values {
    let shared: [String: Any]
    let database: [String: Any]?
    let conflicting: [[AnyHashable: Any]]
  }

  /// Made when it is first asked for, because the policies of the library never ask.
  private lazy var values = makeValues()
  private let makeValues: () -> Values

  /// Creates a conflict; for tests of policies, and for custom stores.
  ///
  /// > Reference: Apple, init(constraint:database:databaseSnapshot:conflicting:conflictingSnapshots:).
  public init(
    constraint: [String], database: NSManagedObject?, databaseSnapshot: [AnyHashable: Any]?,
    conflicting: [NSManagedObject], conflictingSnapshots: [[AnyHashable: Any]]
  ) {
    self.constraint = constraint
    databaseObject = database
    conflictingObjects = conflicting
    let database = databaseSnapshot.map { snapshot in
      Dictionary(
        uniqueKeysWithValues: snapshot.compactMap { key, value in
          (key.base as? String).map { ($0, value) }
        })
    }
    let values = Values(
      shared: Self.values(conflicting.first, under: constraint), database: database,
      conflicting: conflictingSnapshots)
    makeValues = { values }
    super.init()
  }

  /// Creates a conflict that a save met; its values are those of the moment when they are first asked for.
  init(constraint: [String], database: NSManagedObject?, conflicting: [NSManagedObject]) {
    self.constraint = constraint
    databaseObject = database
    conflictingObjects = conflicting
    makeValues = {
      Values(
        shared: Self.values(conflicting.first, under: constraint),
        database: database.map { $0.snapshotValues(of: $0.row) },
        conflicting: conflicting.map { $0.snapshotValues(of: nil) })
    }
    super.init()
  }

  /// Keeps the values as they are now.
  func keepValues() { _ = values }

  private static func values(
    _ object: NSManagedObject?, under constraint: [String]
  ) -> [String: Any] {
    (object?.snapshotValues(of: nil) ?? [:]).filter { constraint.contains($0.key) }
  }

  public override var description: String {
    let values = constraintValues.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return "NSConstraintConflict of \(conflictingObjects.count) objects under "
      + "(\(constraint.joined(separator: ", "))) with \(values.joined(separator: ", "))"
      + (databaseObject.map { "; saved as \($0.objectID)" } ?? "")
  }
}
