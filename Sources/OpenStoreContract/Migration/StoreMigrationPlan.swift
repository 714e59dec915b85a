public import Foundation

/// What a store will do to its file when its rows become rows of another model.
///
/// An addition. A value of plain facts; making one changes nothing.
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

  /// Something that is gone after the migration.
  public struct Loss: Sendable, Hashable {
    /// The entity, by its name in the source model.
    public var entityName: String
    /// The property; nil for the entity with all of its rows.
    public var propertyName: String?
    /// Rows that have a value of the property, or rows of the entity; for a relationship that stays, join rows that have no place any more.
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
  /// Why the file has to be copied, as sentences; empty for other ways.
  public var reasons: [String]
  /// The statements, in their order and without bound values.
  public var statements: [String]
  /// Rows that are written or deleted, as far as the statements say so beforehand.
  public var rewrittenRows: Int
  /// Space that is needed beside the file while it is changed.
  public var bytesNeeded: Int64
  /// What is gone for ever.
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

/// Told how much of a migration is done, from 0 to 1, now and then; false cancels it.
///
/// > Concurrency: Called on the thread that migrates; must not use the store.
public typealias MigrationProgress = (Double) -> Bool

/// Rows that a uniqueness constraint of a new model does not allow.
///
/// The `underlying` error of a `StoreError` with code `.constraintConflict`.
public struct DuplicateValues: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// The entity of the constraint.
  public var entityName: String
  /// The properties whose values must differ together.
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
