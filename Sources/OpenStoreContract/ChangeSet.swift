internal import OpenObjectModel
internal import OpenPredicates

/// The changes of a save, as packed rows, which become the snapshots of the saved objects.
public struct ChangeSet: Sendable {
  /// A changed row.
  public struct Update: Sendable {
    /// The complete new row, with the version to store.
    public var row: Row
    /// The slots whose values differ from the stored row.
    public var slots: OrdinalSet
    /// The version that the stored row must still have.
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
    /// The version that the stored row must still have.
    public var expectedVersion: Int64

    public init(id: ObjectKey, expectedVersion: Int64) {
      self.id = id
      self.expectedVersion = expectedVersion
    }
  }

  /// A row that is not written but must not have changed since it was read.
  public struct Expectation: Sendable {
    /// The key of the row.
    public var id: ObjectKey
    /// The version that the stored row must still have.
    public var version: Int64

    /// Creates the expectation that a stored row still has a version.
    public init(id: ObjectKey, version: Int64) {
      self.id = id
      self.version = version
    }
  }

  /// An added or removed pair of objects whose relationship has no foreign key in either row.
  ///
  /// Many-to-many relationships, and to-many relationships without an inverse, consist of such
  /// pairs. The change set contains each pair for one side of the relationship only.
  public struct JoinRow: Sendable {
    /// The entity that owns the relationship, as a position in the model.
    public var entityIndex: Int
    /// The ordinal of the relationship in that entity.
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
    /// The entity that owns the relationship, as a position in the model.
    public var entityIndex: Int
    /// The ordinal of the relationship in that entity.
    public var ordinal: Int
    public var source: ObjectKey
    /// The keys of the members in order: all members, or only the new members after the stored
    /// members.
    public var members: [Int64]
    /// Whether `members` contains all members.
    public var isWhole: Bool
    /// The keys of the removed members.
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

  /// A saved object and its changed to-many relationships.
  public struct Touched: Sendable {
    public var id: ObjectKey
    /// The ordinals of the relationships.
    public var relationships: OrdinalSet

    public init(id: ObjectKey, relationships: OrdinalSet) {
      self.id = id
      self.relationships = relationships
    }
  }

  /// The new rows, each with its key, or with a ``ProvisionalKey`` if the store must assign the
  /// key.
  ///
  /// If a stored row already has the key of a new row, the commit reports a version conflict with
  /// the expected version 0.
  public var inserted: [Row] = []
  /// The number of rows with provisional keys by root entity, as a position in the model.
  public var newRowCounts: [Int: Int] = [:]
  public var updated: [Update] = []
  public var deleted: [Deletion] = []
  /// The rows that the change set does not write, but whose stored version must still be the
  /// version that the context read. A different version is a conflict.
  public var unchanged: [Expectation] = []
  /// The rows that the change set refers to without writing them, each listed once.
  ///
  /// These rows are the new destinations of to-one relationships and both ends of added pairs. Each
  /// of these rows must exist when the change set is written. A row that the change set deletes
  /// counts as missing.
  public var referenced: [ObjectKey] = []
  public var joinRows: [JoinRow] = []
  public var orderings: [Ordering] = []
  /// The saved objects with a changed to-many relationship, each once; used only for the history.
  public var touched: [Touched] = []
  /// The origin of the changes, for the store's history.
  public var origin = ChangeOrigin()
  /// The metadata to write in the same transaction; nil if the metadata is unchanged.
  public var metadata: StoreMetadata?

  public init() {}

  public var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && unchanged.isEmpty
      && referenced.isEmpty && joinRows.isEmpty && orderings.isEmpty && metadata == nil
  }
}

/// The identity of a row in a store: the position of its actual entity in the model, and its
/// primary key.
public struct ObjectKey: Sendable, Hashable, Comparable {
  public var entityIndex: Int32
  public var key: Int64

  @inline(__always)
  public init(entityIndex: Int, key: Int64) {
    self.entityIndex = Int32(truncatingIfNeeded: entityIndex)
    self.key = key
  }

  /// Returns whether the first key precedes the second in the order of entities and primary keys.
  public static func < (one: ObjectKey, other: ObjectKey) -> Bool {
    one.entityIndex == other.entityIndex
      ? one.key < other.key : one.entityIndex < other.entityIndex
  }
}

/// The result of committing a change set.
public enum CommitOutcome: Sendable {
  /// All changes are written.
  ///
  /// The rows in `recomputed` contain values that the store computed. `transaction` is the number
  /// of the transaction in the store's history; nil without a history.
  case committed(recomputed: [ObjectKey] = [], transaction: Int64? = nil)
  /// Nothing is written, because these rows or constraints conflict with the store.
  case conflicts([StoreConflict])
}

/// A conflict between a change set and the store on a row or a uniqueness constraint.
public enum StoreConflict: Sendable {
  /// The stored row was deleted or has another version.
  ///
  /// If the expected version is 0, the store already has a row with the key of a new row.
  case version(id: ObjectKey, expected: Int64, stored: RowLookup)
  /// Another row has the same values under a uniqueness constraint of the entity.
  case constraint(id: ObjectKey, entityIndex: Int, properties: [String])
  /// The change set refers to a row that does not exist or that the change set itself deletes.
  case missingDestination(id: ObjectKey)
  /// The change set deletes a row, but other rows still refer to this row through an inverse
  /// relationship.
  ///
  /// The ordinal identifies the deleted row's relationship, whose delete rule determines how to
  /// treat the referring rows. The store does not check relationships with the rule "no action".
  case remainingReferences(to: ObjectKey, ordinal: Int, from: [ObjectKey])
}

/// The result of looking up a row in a store.
public enum RowLookup: Sendable {
  case found(Row)
  case deleted
}
