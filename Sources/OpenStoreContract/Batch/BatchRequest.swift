public import OpenObjectModel
internal import OpenPredicates

/// A request to delete or update many rows. A store executes the request in one transaction,
/// without managed objects.
public enum BatchRequest: Sendable {
  /// Sets properties of the rows that the plan of the update selects.
  case update(BatchUpdate)
  /// Deletes the rows that a plan selects, and applies the delete rules to the rows that refer to
  /// the deleted rows.
  case delete(FetchPlan)
}

/// A batch insertion of rows of one entity; the caller provides the rows in portions.
public struct BatchInsert: Sendable {
  /// How the store treats a new row that violates a uniqueness constraint.
  public enum Collision: Sendable, Hashable {
    /// The store writes nothing, and throws a `StoreError` with code `.constraintConflict`.
    case fail
    /// The stored row receives all attribute values of the new row, and keeps its relationships.
    case replace
    /// The stored row remains unchanged, and the store does not insert the new row.
    case keep
  }

  public var entity: CompiledEntity
  public var collision: Collision
  /// Whether the outcome contains the keys of the inserted rows, or only their number.
  public var detail: BatchOutcome.Detail

  public init(
    entity: CompiledEntity, collision: Collision, detail: BatchOutcome.Detail = .keys
  ) {
    self.entity = entity
    self.collision = collision
    self.detail = detail
  }
}

/// A batch update, which sets properties of the rows that a plan selects.
public struct BatchUpdate: Sendable {
  /// An assignment of a new value to one slot.
  public struct Assignment: Sendable, Hashable {
    /// The slot of the property to set, in the plan's entity.
    public var slot: Int
    /// The operand that yields the new value, from the row's previous values and the plan's
    /// bindings.
    public var operand: Operand

    public init(slot: Int, operand: Operand) {
      self.slot = slot
      self.operand = operand
    }
  }

  /// The plan that selects the rows to update; the plan has no sort terms, limit or offset.
  public var plan: FetchPlan
  /// The assignments; each slot occurs at most once.
  public var assignments: [Assignment]
  /// The rows that the new values refer to.
  ///
  /// If one of these rows does not exist, the store writes nothing and throws a `StoreError` with
  /// code `.versionConflict`.
  public var referenced: [ObjectKey] = []

  public init(plan: FetchPlan, assignments: [Assignment]) {
    self.plan = plan
    self.assignments = assignments
  }
}

/// The result of a batch request.
public struct BatchOutcome: Sendable {
  /// The information about the affected rows in an outcome: only their number, or also their keys.
  public enum Detail: Sendable {
    /// Only the number of rows.
    case count
    /// The keys of all affected rows.
    case keys
  }

  /// The keys of the inserted rows; empty if the request asked only for the number of rows.
  public var inserted: [ObjectKey] = []
  /// The number of inserted rows.
  public var insertedCount = 0
  /// The keys of the rows that have new values.
  ///
  /// These are the rows that an update selects, the stored rows that an insertion replaces, or the
  /// rows that lose a destination because of a deletion.
  public var updated: [ObjectKey] = []
  /// The keys of the deleted rows, including the rows that delete rules deleted.
  public var deleted: [ObjectKey] = []
  /// The keys of the rows in which the store recomputed derived attributes.
  public var recomputed: [ObjectKey] = []
  /// The number of the transaction in the store's history; nil if nothing changed or the store has
  /// no history.
  public var transaction: Int64?

  public init() {}
}

extension StoreBackend {
  /// Deletes the rows that a plan selects, without loading them.
  ///
  /// The store applies the delete rules to rows that refer to the deleted rows. A rule can delete
  /// these rows, or set their relationships to nil.
  ///
  /// - Parameter plan: The plan that selects the rows to delete.
  /// - Returns: The keys of the deleted rows, including rows deleted by delete rules.
  /// - Throws: `StoreError` with one of these codes: `.constraintConflict` if a delete rule denies
  ///   the deletion or a remaining row would lose a required destination; `.unsupportedPredicate`
  ///   if the store does not support the plan; `.readOnly` if the store is read-only; `.closed` if
  ///   the store is closed; another code if the store cannot be written.
  public func deleteRows(matching plan: FetchPlan) throws(StoreError) -> [ObjectKey] {
    try execute(.delete(plan), origin: ChangeOrigin()).deleted
  }
}

extension BatchInsert {
  /// The ordinals of all stored attributes. If the insertion replaces a stored row, the history
  /// records these attributes as changed.
  public var replacedOrdinals: OrdinalSet {
    OrdinalSet(
      entity.properties.filter { $0.attribute != nil && $0.slot != nil }.map(\.ordinal))
  }

  /// Returns the values that a stored row receives if a new row replaces the stored row. The result
  /// contains only the attributes that the entities of both rows share.
  ///
  /// - Parameters:
  ///   - row: The new row.
  ///   - actual: The entity of the stored row.
  package func values(of row: Row, replacing actual: CompiledEntity) -> [SlotValue] {
    let shared = entity.subtree.contains(actual.index) ? entity : actual
    return entity.properties.compactMap { property in
      guard property.attribute != nil, let slot = property.slot, slot < shared.slots.count else {
        return nil
      }
      return SlotValue(slot: slot, content: row.content(of: slot, in: entity))
    }
  }
}

extension StoreError {
  /// Creates the error for a batch request that writes a row with the same unique values as another
  /// row.
  ///
  /// - Parameters:
  ///   - entity: The entity of the row; nil if it is unknown.
  ///   - statement: The text of the failed statement; nil for a store without statements.
  /// - Returns: A `StoreError` with code `.constraintConflict`.
  package static func collision(
    in entity: CompiledEntity?, _ statement: String? = nil
  ) -> StoreError {
    StoreError(
      .constraintConflict,
      "A row to write violates a uniqueness constraint: another row has the same values.",
      entityName: entity?.name, statement: statement)
  }

  /// Creates the error for a batch update whose new values refer to rows that do not exist.
  ///
  /// - Parameter update: The batch update; the error contains the name of the updated entity.
  /// - Returns: A `StoreError` with code `.versionConflict`.
  public static func lostDestination(of update: BatchUpdate) -> StoreError {
    StoreError(
      .versionConflict,
      "The batch update refers to a row that was deleted. Nothing was written. Fetch the destination again.",
      entityName: update.plan.shape.entity.name)
  }
}

extension BatchOutcome {
  /// Returns the changes that the history records for the rows of an update.
  ///
  /// Each change has the number 0 until the history assigns a number.
  ///
  /// - Parameter update: The update that produced this outcome.
  public func changes(of update: BatchUpdate) -> [StoreHistoryChange] {
    let slots = update.plan.shape.entity.slots
    let ordinals = OrdinalSet(
      update.assignments.filter { slots.indices.contains($0.slot) }
        .map { slots[$0.slot].propertyOrdinal })
    return updated.map { StoreHistoryChange(number: 0, kind: .update, id: $0, updated: ordinals) }
  }
}
