public import OpenPredicates

/// The origin of a change: its author, context, bundle and process.
public struct ChangeOrigin: Sendable, Hashable {
  /// The context's `transactionAuthor`; nil if the context has no author.
  public var author: String?
  /// The context's name; nil if the context has no name.
  public var contextName: String?
  public var bundleID: String?
  /// The name of the process that made the change; nil if the name is unknown.
  public var processID: String?

  public init(
    author: String? = nil, contextName: String? = nil, bundleID: String? = nil,
    processID: String? = nil
  ) {
    self.author = author
    self.contextName = contextName
    self.bundleID = bundleID
    self.processID = processID
  }
}

/// A transaction in a store's history, which contains the changes of one commit.
public struct StoreHistoryTransaction: Sendable {
  public var number: Int64
  /// The time of the commit, in seconds since 2001-01-01 UTC.
  public var timestamp: Double
  public var origin: ChangeOrigin
  /// The changes in the order in which they were recorded; empty if the query excluded changes.
  public var changes: [StoreHistoryChange]

  public init(
    number: Int64, timestamp: Double, origin: ChangeOrigin, changes: [StoreHistoryChange] = []
  ) {
    self.number = number
    self.timestamp = timestamp
    self.origin = origin
    self.changes = changes
  }
}

/// A change to one row, as recorded in a store's history.
///
/// The row may no longer exist.
public struct StoreHistoryChange: Sendable {
  /// The kind of a change.
  ///
  /// Store files contain the raw values.
  public enum Kind: Int64, Sendable {
    /// The row was inserted.
    case insert = 0
    /// Properties of the row were changed.
    case update = 1
    /// The row was deleted.
    case delete = 2
  }

  public var number: Int64
  public var kind: Kind
  public var id: ObjectKey
  /// The ordinals of the properties that an update changed; empty for any other change.
  public var updated: OrdinalSet
  /// The values of a deleted row that the history preserves, keyed by the ordinal of the property;
  /// empty for any other change.
  public var tombstone: [Int: Value]

  public init(
    number: Int64, kind: Kind, id: ObjectKey, updated: OrdinalSet = OrdinalSet(),
    tombstone: [Int: Value] = [:]
  ) {
    self.number = number
    self.kind = kind
    self.id = id
    self.updated = updated
    self.tombstone = tombstone
  }
}
