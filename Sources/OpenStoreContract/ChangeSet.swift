internal import OpenObjectModel
internal import OpenPredicates

/// The changes that a save sends to a store; new and updated rows are in packed form.
///
/// After the save, the packed rows become the snapshots of the saved objects.
public struct ChangeSet: Sendable {
  /// An update of a stored row.
  public struct Update: Sendable {
    /// The complete new row, including the new row version.
    public var row: Row
    /// The slots (positions of columns in the row) whose values differ from those in the stored
    /// row.
    public var slots: OrdinalSet
    /// The version that the stored row must still have.
    public var expectedVersion: Int64

    public init(row: Row, slots: OrdinalSet, expectedVersion: Int64) {
      self.row = row
      self.slots = slots
      self.expectedVersion = expectedVersion
    }
  }

  /// The deletion of a stored row. If the row does not have the expected version, the commit
  /// reports a conflict.
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

    /// Creates the expectation that a stored row still has the given version.
    ///
    /// - Parameters:
    ///   - id: The key of the row.
    ///   - version: The version that the stored row must still have.
    public init(id: ObjectKey, version: Int64) {
      self.id = id
      self.version = version
    }
  }

  /// A pair of objects that the save adds to, or removes from, a relationship without a foreign
  /// key.
  ///
  /// Stores represent many-to-many relationships, and to-many relationships without an inverse, as
  /// pairs. The change set contains each pair once, for one side of the relationship.
  public struct JoinRow: Sendable {
    /// The entity that owns the relationship, as a position in the model.
    public var entityIndex: Int
    /// The position of the relationship among the properties of the entity at ``entityIndex``.
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

  /// The order of the members of an ordered to-many relationship.
  ///
  /// The store writes orderings after the join rows.
  public struct Ordering: Sendable {
    /// The entity that owns the relationship, as a position in the model.
    public var entityIndex: Int
    /// The position of the relationship among the properties of the entity at ``entityIndex``.
    public var ordinal: Int
    public var source: ObjectKey
    /// The keys of the members in their order.
    ///
    /// If ``isWhole`` is true, the array contains all members. Otherwise, the array contains only
    /// the new members, which the store adds after the stored members.
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
    /// The ordinals of the changed to-many relationships: their positions among the entity's
    /// properties.
    public var relationships: OrdinalSet

    public init(id: ObjectKey, relationships: OrdinalSet) {
      self.id = id
      self.relationships = relationships
    }
  }

  /// The rows to insert.
  ///
  /// If the store must assign the key of a row, the row has a ``ProvisionalKey``.
  ///
  /// If a stored row already has the key of a new row, the commit reports a version conflict with
  /// the expected version 0.
  public var inserted: [Row] = []
  /// The number of new rows with provisional keys, keyed by the position of the root entity in the
  /// model.
  ///
  /// A root entity is an entity without a superentity. The entities of a hierarchy share the keys
  /// of their root entity.
  public var newRowCounts: [Int: Int] = [:]
  public var updated: [Update] = []
  public var deleted: [Deletion] = []
  /// The rows that the change set does not write, but that must not have changed since they were
  /// read.
  ///
  /// If the stored version of a row differs from the expected version, the commit reports a
  /// conflict.
  public var unchanged: [Expectation] = []
  /// The rows that the change set refers to but does not write.
  ///
  /// Each row is listed once.
  ///
  /// These rows are the new destinations of to-one relationships, and the objects of added pairs.
  /// Each of these rows must exist when the store writes the change set. A row that the change set
  /// deletes counts as missing.
  public var referenced: [ObjectKey] = []
  public var joinRows: [JoinRow] = []
  public var orderings: [Ordering] = []
  /// The saved objects whose to-many relationships changed.
  ///
  /// Each object is listed once. Only the history uses this list.
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

/// The key of a row in a store: the position of the row's entity in the model, and the row's
/// primary key.
///
/// In a reference to the row, the entity may be an ancestor of the row's actual entity.
public struct ObjectKey: Sendable, Hashable, Comparable {
  public var entityIndex: Int32
  public var key: Int64

  @inline(__always)
  public init(entityIndex: Int, key: Int64) {
    self.entityIndex = Int32(truncatingIfNeeded: entityIndex)
    self.key = key
  }

  /// Returns whether one key precedes another; keys are ordered by entity, and then by primary key.
  public static func < (one: ObjectKey, other: ObjectKey) -> Bool {
    one.entityIndex == other.entityIndex
      ? one.key < other.key : one.entityIndex < other.entityIndex
  }
}

/// The result of committing a change set.
public enum CommitOutcome: Sendable {
  /// The store has written all changes.
  ///
  /// `recomputed` contains the keys of the rows in which the store computed values, such as derived
  /// attributes. `transaction` is the number of the transaction in the store's history; nil if the
  /// store has no history.
  case committed(recomputed: [ObjectKey] = [], transaction: Int64? = nil)
  /// The store has written nothing, because the change set conflicts with the contents of the
  /// store.
  case conflicts([StoreConflict])
}

/// A conflict between a change set and the contents of a store.
public enum StoreConflict: Sendable {
  /// The stored row was deleted, or its version is not the expected version.
  ///
  /// If the expected version is 0, the store already has a row with the key of a new row.
  case version(id: ObjectKey, expected: Int64, stored: RowLookup)
  /// A row of the change set has the same values for all properties of a uniqueness constraint as
  /// another row.
  ///
  /// `id` is the key of the row of the change set. `entityIndex` is the position, in the model, of
  /// the entity that declares the constraint.
  case constraint(id: ObjectKey, entityIndex: Int, properties: [String])
  /// The change set refers to a row that does not exist or that the change set itself deletes; `id`
  /// is the key of this row.
  case missingDestination(id: ObjectKey)
  /// The change set deletes a row, but other rows still refer to this row through an inverse
  /// relationship.
  ///
  /// `ordinal` identifies the relationship from the deleted row to the referring rows. The delete
  /// rule of this relationship determines how the context treats the referring rows. The store does
  /// not check relationships with the rule "no action".
  case remainingReferences(to: ObjectKey, ordinal: Int, from: [ObjectKey])
}

/// The result of looking up a row in a store.
public enum RowLookup: Sendable {
  /// The store contains the row.
  case found(Row)
  /// The store does not contain the row.
  case deleted
}
