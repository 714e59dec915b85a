public import Foundation

/// A conflict between objects that have the same values for the properties of a uniqueness
/// constraint.
///
/// > Concurrency: Confined to the queue of the objects' context.
/// > Reference: Apple, NSConstraintConflict.
open class NSConstraintConflict: NSObject {
  /// The names of the properties whose combined values must be unique.
  open private(set) var constraint: [String]
  /// The values of the constraint's properties, by property name; all objects in the conflict have
  /// these values. The dictionary is empty if ``conflictingObjects`` is empty.
  open var constraintValues: [String: Any] { values.shared }
  /// The saved object with the shared values; nil if no saved object has the values.
  open private(set) var databaseObject: NSManagedObject?
  /// The stored values of ``databaseObject``, by property name; nil if the conflict has no saved
  /// object. The dictionary omits stored values that cannot be read.
  open var databaseSnapshot: [String: Any]? { values.database }
  /// The unsaved objects with the shared values: inserted objects first, then updated objects.
  open private(set) var conflictingObjects: [NSManagedObject]
  /// For each object in ``conflictingObjects``, in the same order, the object's values by property
  /// name.
  open var conflictingSnapshots: [[AnyHashable: Any]] { values.conflicting }

  /// The values of the objects, by property name.
  private struct Values {
    let shared: [String: Any]
    let database: [String: Any]?
    let conflicting: [[AnyHashable: Any]]
  }

  /// The values, which are computed on first use because the built-in policies never use them.
  private lazy var values = makeValues()
  private let makeValues: () -> Values

  /// Creates a conflict, for use in custom stores and in tests of merge policies.
  ///
  /// - Parameters:
  ///   - constraint: The names of the properties whose combined values must be unique.
  ///   - database: The saved object with the shared values; nil if no saved object has the values.
  ///   - databaseSnapshot: The stored values of the saved object, by property name; nil if there is
  ///     no saved object.
  ///   - conflicting: The unsaved objects with the shared values.
  ///   - conflictingSnapshots: For each unsaved object, in the order of `conflicting`, the values
  ///     by property name.
  /// > Reference: Apple,
  /// > init(constraint:database:databaseSnapshot:conflicting:conflictingSnapshots:).
  public init(
    constraint: [String], database: NSManagedObject?, databaseSnapshot: [AnyHashable: Any]?,
    conflicting: [NSManagedObject], conflictingSnapshots: [[AnyHashable: Any]]
  ) {
    self.constraint = constraint
    databaseObject = database
    conflictingObjects = conflicting
    let database = databaseSnapshot.map { snapshot in
      Dictionary(
        snapshot.compactMap { key, value in (key.base as? String).map { ($0, value) } },
        uniquingKeysWith: { first, _ in first })
    }
    let values = Values(
      shared: Self.values(conflicting.first, under: constraint), database: database,
      conflicting: conflictingSnapshots)
    makeValues = { values }
    super.init()
  }

  /// Creates a conflict that a save found. The values of the conflict are read on first use.
  init(constraint: [String], database: NSManagedObject?, conflicting: [NSManagedObject]) {
    self.constraint = constraint
    databaseObject = database
    conflictingObjects = conflicting
    makeValues = {
      Values(
        shared: Self.values(conflicting.first, under: constraint),
        database: database.map { ConflictSnapshot.values(of: $0, in: $0.row) },
        conflicting: conflicting.map { ConflictSnapshot.values(of: $0, in: nil) })
    }
    super.init()
  }

  /// Reads the values now, so that later changes of the objects do not affect them.
  func keepValues() { _ = values }

  private static func values(
    _ object: NSManagedObject?, under constraint: [String]
  ) -> [String: Any] {
    guard let object else { return [:] }
    return ConflictSnapshot.values(of: object, in: nil).filter { constraint.contains($0.key) }
  }

  /// A description with the number of objects, the constraint, the values and the id of the saved
  /// object.
  open override var description: String {
    let values = constraintValues.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return "NSConstraintConflict of \(conflictingObjects.count) objects for the constraint "
      + "(\(constraint.joined(separator: ", "))) with the values \(values.joined(separator: ", "))"
      + (databaseObject.map { "; saved object: \($0.currentID)" } ?? "")
  }
}
