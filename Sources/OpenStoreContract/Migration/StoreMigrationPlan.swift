public import Foundation

/// The plan for a store's migration to another model.
///
/// Creating a plan does not change the store.
///
/// This is an addition to Apple's API.
public struct StoreMigrationPlan: Sendable, Hashable {
  /// The way in which a migration changes a store.
  public enum Way: String, Sendable, Hashable {
    /// The migration does not change the store.
    case none
    /// The store changes its file in one transaction.
    case inPlace
    /// The store writes a new file, which then replaces the old file.
    case copy
    /// The migration adds tables, columns and indexes to a store on a server.
    ///
    /// Programs with the earlier version of the model can continue to use the store.
    case expand
  }

  /// Data in the store that the migration does not keep.
  public struct Loss: Sendable, Hashable {
    /// The name of the entity in the source model.
    public var entityName: String
    /// The name of the property; nil if the migration drops the entity with all of its rows.
    public var propertyName: String?
    /// The number of affected rows.
    ///
    /// For an entity, this is the number of its rows. For a property, this is the number of rows
    /// that have a value. For a relationship that remains in the model, this is the number of
    /// dropped join rows.
    public var rowCount: Int

    /// Creates a description of dropped data.
    ///
    /// - Parameters:
    ///   - entityName: The name of the entity in the source model.
    ///   - propertyName: The name of the property; nil if the migration drops the entity.
    ///   - rowCount: The number of affected rows.
    public init(entityName: String, propertyName: String?, rowCount: Int) {
      self.entityName = entityName
      self.propertyName = propertyName
      self.rowCount = rowCount
    }
  }

  /// The way in which the migration changes the store.
  public var way: Way
  /// The reasons why the file must be copied, as sentences; empty if no copy is necessary.
  public var reasons: [String]
  /// The statements in the order of execution, without bound values.
  public var statements: [String]
  /// The number of rows that the migration writes or deletes. The number does not include rows that
  /// the plan cannot count before the migration.
  public var rewrittenRows: Int
  /// The additional disk space needed during the migration, in bytes.
  public var bytesNeeded: Int64
  /// The data that the migration drops.
  public var losses: [Loss]

  /// Creates a plan.
  ///
  /// - Parameters:
  ///   - way: The way in which the migration changes the store.
  ///   - reasons: The reasons why the file must be copied, as sentences; empty if no copy is
  ///     necessary.
  ///   - statements: The statements in the order of execution, without bound values.
  ///   - rewrittenRows: The number of rows that the migration writes or deletes.
  ///   - bytesNeeded: The additional disk space needed during the migration, in bytes.
  ///   - losses: The data that the migration drops.
  public init(
    way: Way, reasons: [String] = [], statements: [String] = [], rewrittenRows: Int = 0,
    bytesNeeded: Int64 = 0, losses: [Loss] = []
  ) {
    self.way = way
    self.reasons = reasons
    self.statements = statements
    self.rewrittenRows = rewrittenRows
    self.bytesNeeded = bytesNeeded
    self.losses = losses
  }
}

/// A closure that repeatedly receives the completed fraction of a migration, from 0 to 1.
///
/// If the closure returns `false`, the migration is canceled.
///
/// > Concurrency: The closure is called on the thread that migrates the store. The closure must not
/// > use the store.
public typealias MigrationProgress = (Double) -> Bool

/// Rows that violate a uniqueness constraint of the new model.
///
/// A `StoreError` with code `.constraintConflict` contains this value as its `underlying` error.
public struct DuplicateValues: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// The entity of the constraint.
  public var entityName: String
  /// The properties whose combined values must be unique.
  public var properties: [String]
  /// Examples of duplicate combinations, as text. Each inner array has one value for each of
  /// `properties`, in the same order.
  public var values: [[String]]

  /// Creates a description of duplicate values.
  ///
  /// - Parameters:
  ///   - entityName: The entity of the constraint.
  ///   - properties: The properties whose combined values must be unique.
  ///   - values: Examples of duplicate combinations, as text.
  public init(entityName: String, properties: [String], values: [[String]]) {
    self.entityName = entityName
    self.properties = properties
    self.values = values
  }

  /// The text of `localizedDescription`, which equals `description`.
  public var errorDescription: String? { description }

  /// A sentence with the names of the entity and of the properties. The sentence contains no
  /// values, because values must not appear in logs.
  public var description: String {
    let names = properties.map { "\(entityName).\($0)" }.joined(separator: ", ")
    return "Several rows have the same values of \(names)."
  }
}

/// Required properties of the new model that have no value in some rows.
///
/// A `StoreError` with code `.unfitValue` contains this value as its `underlying` error.
package struct MissingValues: Error, Sendable, Hashable {
  /// A property of the new model.
  package struct Property: Sendable, Hashable {
    package let entityName: String
    package let propertyName: String

    package init(entityName: String, propertyName: String) {
      self.entityName = entityName
      self.propertyName = propertyName
    }
  }

  /// The properties, in the order of the model.
  package let properties: [Property]

  package init(properties: [Property]) { self.properties = properties }
}
