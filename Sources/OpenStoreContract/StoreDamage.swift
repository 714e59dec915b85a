/// A store that can find damage in its tables and files.
///
/// The store does not check references between rows. These references are checked separately, in
/// the same way for every store.
public protocol DamageReporting: StoreBackend {
  /// Checks the store's tables and files for damage.
  ///
  /// The check reads the complete store and changes nothing.
  ///
  /// - Returns: The damage found; empty for an intact store.
  /// - Throws: `StoreError` with code `.closed` if the store is closed, or with another code if the
  ///   store cannot be read at all.
  func damage() throws(StoreError) -> [StoreDamage]
}

/// A defect in a store's tables or files.
public struct StoreDamage: Sendable, Hashable {
  /// The kind of damage.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// The internal structure of the file is damaged.
    case brokenFile
    /// A row has an entity that is not in the model, or whose rows belong in another table.
    case unknownEntity
    /// An object to which a join row refers is missing.
    case orphanedJoinRow
    /// A join row that must be stored twice is stored only once.
    case oneSidedJoinRow
    /// Keys intended for new objects are already in use.
    case keysInUse
    /// A value does not have the type of its property, or is in a form that the type does not
    /// allow. The detail names the type, and the form in parentheses.
    case wrongType
    /// The external file of a value is missing.
    case missingFile
    /// An external file exists, but no stored value refers to the file.
    case unusedFile
    /// The history lacks a transaction that should precede an existing transaction.
    case historyGap
  }

  /// The kind of damage.
  public var kind: Kind
  /// The entity, as a position in the model; nil for damage to the whole file.
  public var entityIndex: Int?
  /// The name of the property; nil for damage that does not concern one property.
  public var propertyName: String?
  /// The key of the row; nil for damage that does not concern one row.
  public var key: Int64?
  /// Details, such as a file's name or the message of the store's own library.
  public var detail: String

  /// Creates a report of one defect.
  ///
  /// - Parameters:
  ///   - kind: The kind of damage.
  ///   - entityIndex: The entity, as a position in the model; nil for damage to the whole file.
  ///   - propertyName: The name of the property; nil for damage that does not concern one property.
  ///   - key: The key of the row; nil for damage that does not concern one row.
  ///   - detail: Details, such as the name of a file.
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
