/// A store that can find damage in its own files, below the level of rows.
///
/// References between rows are checked at a higher level, in the same way for every store.
public protocol DamageReporting: StoreBackend {
  /// The problem with the store's own tables and files.
  ///
  /// Reads everything, and changes nothing.
  ///
  /// - Returns: The damage found; empty for an intact store.
  /// - Throws: `StoreError` when the store cannot be read at all.
  func damage() throws(StoreError) -> [StoreDamage]
}

/// A defect in a store's tables or files.
public struct StoreDamage: Sendable, Hashable {
  /// The kind of damage.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// The file's own structure is broken.
    case brokenFile
    /// A row is of an entity that the model does not have, or that has no rows in this table.
    case unknownEntity
    /// A join row whose object is missing.
    case orphanedJoinRow
    /// A join row that must be stored twice is stored once.
    case oneSidedJoinRow
    /// New objects would get keys that are in use.
    case keysInUse
    /// A value's file is missing.
    case missingFile
    /// A file belongs to no value.
    case unusedFile
    /// A transaction of the history is missing before another one.
    case historyGap
  }

  /// The kind of damage.
  public var kind: Kind
  /// The entity, as a position in the model; nil for damage of the whole file.
  public var entityIndex: Int?
  /// The property; nil for damage of whole rows.
  public var propertyName: String?
  /// The row; nil for damage of no single row.
  public var key: Int64?
  /// Details, such as a file's name or the message of the store's own library.
  public var detail: String

  /// Creates a report of one defect.
  ///
  /// - Parameters:
  ///   - kind: The kind of damage.
  ///   - entityIndex: The entity, as a position in the model.
  ///   - propertyName: The property.
  ///   - key: The row.
  ///   - detail: Details.
  public init(
    _ kind: Kind, entityIndex: Int? = nil, propertyName: String? = nil, key: Int64? = nil,
    detail: String = ""
  ) {
    self.kind = kind
    self.entityIndex = entityIndex
    self.propertyName = propertyName
    self.key = key
    self.detail = detail
  }
}
