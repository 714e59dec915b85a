public import Foundation

/// The plan of a store's migration to another model.
///
/// An addition to Apple's API. A value; creating one changes nothing.
public struct StoreMigrationPlan: Sendable, Hashable {
  /// How a store's file is changed.
  public enum Way: String, Sendable, Hashable {
    /// The tables are right already.
    case none
    /// In one transaction on the same file.
    case inPlace
    /// By a new file, which takes the place of the old one.
    case copy
  }

  /// Data that the migration drops.
  public struct Loss: Sendable, Hashable {
    /// The entity, by its name in the source model.
    public var entityName: String
    /// The property; nil for the entity with all of its rows.
    public var propertyName: String?
    /// The number of rows with a value of the property, or of rows of the entity; for a remaining relationship, the
    /// number of dropped join rows.
    public var rowCount: Int

    /// Describes a loss.
    public init(entityName: String, propertyName: String?, rowCount: Int) {
      self.entityName = entityName
      self.propertyName = propertyName
      self.rowCount = rowCount
    }
  }

  /// How the file is changed.
  public var way: Way
  /// The reasons why the file must be copied, as sentences; empty for other methods.
  public var reasons: [String]
  /// The statements, in their order and without bound values.
  public var statements: [String]
  /// The number of written or deleted rows, if it is known in advance.
  public var rewrittenRows: Int
  /// The additional disk space during the migration.
  public var bytesNeeded: Int64
  /// The dropped data.
  public var losses: [Loss]

  /// Describes a migration.
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

/// Receives the completed fraction of a migration, from 0 to 1, at intervals; returning false cancels it.
///
/// > Concurrency: Called on the thread that migrates; must not use the store.
public typealias MigrationProgress = (Double) -> Bool

/// Rows that a uniqueness constraint of a new model does not allow.
///
/// The `underlying` error of a `StoreError` with code `.constraintConflict`.
public struct DuplicateValues: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// The entity of the constraint.
  public var entityName: String
  /// The properties whose combined values must be unique.
  public var properties: [String]
  /// Some of the values that several rows have, as texts, in the order of the columns.
  public var values: [[String]]

  /// Describes duplicates.
  public init(entityName: String, properties: [String], values: [[String]]) {
    self.entityName = entityName
    self.properties = properties
    self.values = values
  }

  /// The sentence that `print` shows.
  public var errorDescription: String? { description }

  /// Entity, properties and values.
  public var description: String {
    let examples = values.map { "(" + $0.joined(separator: ", ") + ")" }.joined(separator: ", ")
    return "\(entityName).\(properties.joined(separator: "+")): \(examples)"
  }
}
