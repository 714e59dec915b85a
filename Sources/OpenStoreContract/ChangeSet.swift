internal import OpenObjectModel
internal import OpenPredicates

/// The changes of a save, as packed rows; the objects adopt the same rows after the commit.
public struct ChangeSet: Sendable {
  /// A changed row.
  public struct Update: Sendable {
    /// The whole new row; its version is the one to store.
    public var row: Row
    /// Slots whose values differ from the stored row.
    public var slots: OrdinalSet
    /// Version that the stored row must still have.
    public var expectedVersion: Int64

    public init(row: Row, slots: OrdinalSet, expectedVersion: Int64) {
      self.row = row
      self.slots = slots
      self.expectedVersion = expectedVersion
    }
  }

  /// A row to delete.
  public struct Deletion: Sendable {
    public var id: ObjectKey
    /// Version that the stored row must still have.
    public var expectedVersion: Int64

    public init(id: ObjectKey, expectedVersion: Int64) {
      self.id = id
      self.expectedVersion = expectedVersion
    }
  }

  /// A row that is not written, but must be unchanged since it was read.
  public struct Expectation: Sendable {
    /// The row.
    public var id: ObjectKey
    /// Version that the stored row must still have.
    public var version: Int64

    /// Creates an expectation.
    public init(id: ObjectKey, version: Int64) {
      self.id = id
      self.version = version
    }
  }

  /// An added or removed pair of objects of a relationship whose foreign key is in neither object's row: many-to-many
  /// relationships, and to-many relationships without inverse. Sent for one side only.
  public struct JoinRow: Sendable {
    /// The relationship's owner, as a position in the model, and its ordinal there.
    public var entityIndex: Int
    public var ordinal: Int
    public var source: ObjectKey
    public var destination: ObjectKey
    public var isAdded: Bool

    public init(
      entityIndex: Int, ordinal: Int, source: ObjectKey, destination: ObjectKey, isAdded: Bool
    ) {
      self.entityIndex = entityIndex
      self.ordinal = ordinal
      self.source = source
      self.destination = destination
      self.isAdded = isAdded
    }
  }

  /// The order of an ordered to-many relationship's members, written after the join rows.
  public struct Ordering: Sendable {
    /// The relationship's owner, as a position in the model, and its ordinal there.
    public var entityIndex: Int
    public var ordinal: Int
    public var source: ObjectKey
    /// Keys of the members: all of them in order, or those after the stored members.
    public var members: [Int64]
    /// Whether `members` are all.
    public var isWhole: Bool
    /// Keys of former members.
    public var removed: [Int64]

    public init(
      entityIndex: Int, ordinal: Int, source: ObjectKey, members: [Int64], isWhole: Bool,
      removed: [Int64]
    ) {
      self.entityIndex = entityIndex
      self.ordinal = ordinal
      self.source = source
      self.members = members
      self.isWhole = isWhole
      self.removed = removed
    }
  }

  /// A saved object and the to-many relationships of it that changed.
  public struct Touched: Sendable {
    public var id: ObjectKey
    /// Ordinals of the relationships.
    public var relationships: OrdinalSet

    public init(id: ObjectKey, relationships: OrdinalSet) {
      self.id = id
      self.relationships = relationships
    }
  }

  /// New rows, each with its key or, if the store must number it, with a ``ProvisionalKey``.
  ///
  /// A row with the key of a stored row is a version conflict with the expected version 0.
  public var inserted: [Row] = []
  /// The number of rows with provisional keys, by the position in the model of their root entity.
  public var newRowCounts: [Int: Int] = [:]
  public var updated: [Update] = []
  public var deleted: [Deletion] = []
  /// Rows that are neither updated nor deleted, but must be unchanged; otherwise there is a conflict.
  public var unchanged: [Expectation] = []
  /// Rows that the set refers to without writing them, each once; every one must exist when the set is written.
  ///
  /// The destinations of to-one relationships that the set sets, and both ends of the pairs that it adds. A row
  /// that the set deletes does not exist.
  public var referenced: [ObjectKey] = []
  public var joinRows: [JoinRow] = []
  public var orderings: [Ordering] = []
  /// Saved objects with a changed to-many relationship, each once; for the history only.
  public var touched: [Touched] = []
  /// The origin of the changes, for the store's history.
  public var origin = ChangeOrigin()
  /// Metadata to write in the same transaction; nil when unchanged.
  public var metadata: StoreMetadata?

  public init() {}

  public var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && unchanged.isEmpty
      && referenced.isEmpty && joinRows.isEmpty && orderings.isEmpty && metadata == nil
  }
}

/// A row as stores name it: its actual entity's position in the model, and its primary key.
public struct ObjectKey: Sendable, Hashable, Comparable {
  public var entityIndex: Int32
  public var key: Int64

  @inline(__always)
  public init(entityIndex: Int, key: Int64) {
    self.entityIndex = Int32(truncatingIfNeeded: entityIndex)
    self.key = key
  }

  /// Orders by entity, and by primary key within one.
  ///
  /// - Returns: `true` if the comparison is true.
  public static func < (one: ObjectKey, other: ObjectKey) -> Bool {
    one.entityIndex == other.entityIndex
      ? one.key < other.key : one.entityIndex < other.entityIndex
  }
}

/// The result of a change set.
public enum CommitOutcome: Sendable {
  /// Everything is written; the rows of `recomputed` hold values that the store computed. The transaction is
  /// the number in the store's history, nil without history.
  case committed(recomputed: [ObjectKey] = [], transaction: Int64? = nil)
  /// Nothing is written: these rows or constraints disagree with the store.
  case conflicts([StoreConflict])
}

/// A conflict between change set and store on a row or a uniqueness constraint.
public enum StoreConflict: Sendable {
  /// The stored row has another version, or was deleted; a new row expects version 0, and no stored row.
  case version(id: ObjectKey, expected: Int64, stored: RowLookup)
  /// Another row has the same values under a uniqueness constraint of the entity.
  case constraint(id: ObjectKey, entityIndex: Int, properties: [String])
  /// The change set refers to a row that does not exist, or that it deletes itself.
  case missingDestination(id: ObjectKey)
  /// The change set deletes a row to which rows still refer by the inverse of one of its relationships.
  ///
  /// The ordinal is that of the deleted row's relationship, whose delete rule decides what becomes of these rows.
  /// Relationships with the rule "no action" are not looked at.
  case remainingReferences(to: ObjectKey, ordinal: Int, from: [ObjectKey])
}

/// The result of looking up a row in a store.
public enum RowLookup: Sendable {
  case found(Row)
  case deleted
}
