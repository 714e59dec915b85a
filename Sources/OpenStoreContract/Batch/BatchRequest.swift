public import OpenObjectModel
internal import OpenPredicates

/// A change of many rows that a store executes in one transaction and without objects.
public enum BatchRequest: Sendable {
  case update(BatchUpdate)
  /// Deletes the rows that a plan selects; rows that point at them are nullified or deleted as the delete
  /// rules say.
  case delete(FetchPlan)
}

/// An insertion of rows of one entity, which are provided in portions.
public struct BatchInsert: Sendable {
  /// The effect of an inserted row that violates a uniqueness constraint.
  public enum Collision: Sendable, Hashable {
    /// Nothing is written; the store throws a `StoreError` with code `.constraintConflict`.
    case fail
    /// The row that is there takes every attribute of the new one, and keeps its relationships.
    case replace
    /// The row that is there stays as it is.
    case keep
  }

  public var entity: CompiledEntity
  public var collision: Collision
  /// The amount of information about the inserted rows in the outcome.
  public var detail: BatchOutcome.Detail

  public init(
    entity: CompiledEntity, collision: Collision, detail: BatchOutcome.Detail = .keys
  ) {
    self.entity = entity
    self.collision = collision
    self.detail = detail
  }
}

/// New values for the rows that a plan selects.
public struct BatchUpdate: Sendable {
  /// A new value of one slot.
  public struct Assignment: Sendable, Hashable {
    /// The slot of the property to set, in the plan's entity.
    public var slot: Int
    /// The new value, computed from the row's previous values and the plan's bindings.
    public var operand: Operand

    public init(slot: Int, operand: Operand) {
      self.slot = slot
      self.operand = operand
    }
  }

  /// The rows to update, without order, limit and offset; a projection is ignored.
  public var plan: FetchPlan
  /// The assignments; each slot occurs at most once.
  public var assignments: [Assignment]
  /// Rows that the values refer to; the store throws a `StoreError` with code `.versionConflict`, and writes nothing, when
  /// one does not exist.
  public var referenced: [ObjectKey] = []

  public init(plan: FetchPlan, assignments: [Assignment]) {
    self.plan = plan
    self.assignments = assignments
  }
}

/// The result of a batch request.
public struct BatchOutcome: Sendable {
  /// The amount of information about rows in an outcome.
  public enum Detail: Sendable {
    /// The number of rows.
    case count
    /// The ids of the rows.
    case keys
  }

  /// Inserted rows; empty if only their number was requested.
  public var inserted: [ObjectKey] = []
  /// The number of inserted rows.
  public var insertedCount = 0
  /// Rows with new values; for a deletion, rows that lost a destination.
  public var updated: [ObjectKey] = []
  /// Deleted rows, including those deleted by delete rules.
  public var deleted: [ObjectKey] = []
  /// Rows in which the store computed values.
  public var recomputed: [ObjectKey] = []
  /// The number of the transaction in the store's history; nil without history, or when nothing changed.
  public var transaction: Int64?

  public init() {}
}

extension StoreBackend {
  /// Deletes the rows that a plan selects, without loading them, and returns their keys.
  ///
  /// Rows of other entities that refer to them are nullified or deleted by the delete rules.
  ///
  /// - Returns: The keys.
  /// - Throws: `StoreError` with code `.constraintConflict` for a deny rule or a lost mandatory destination, or
  ///   of a store that cannot be written.
  public func deleteRows(matching plan: FetchPlan) throws(StoreError) -> [ObjectKey] {
    try execute(.delete(plan), origin: ChangeOrigin()).deleted
  }
}

extension BatchInsert {
  /// The properties that the history records for a row with new values: every stored attribute.
  public var replacedOrdinals: OrdinalSet {
    OrdinalSet(
      entity.properties.filter { $0.attribute != nil && $0.slot != nil }.map(\.ordinal))
  }
}

extension StoreError {
  /// The error of a batch request that writes a row with the unique values of another one.
  package static func collision(
    in entity: CompiledEntity?, _ statement: String? = nil
  ) -> StoreError {
    StoreError(
      .constraintConflict,
      "A row to write has the same values under a uniqueness constraint as another one.",
      entityName: entity?.name, statement: statement)
  }

  /// The error of a batch update whose values refer to rows that do not exist.
  ///
  /// - Returns: The error of a batch update whose values refer to rows that do not exist.
  public static func lostDestination(of update: BatchUpdate) -> StoreError {
    StoreError(
      .versionConflict,
      "A batch update refers to a row that was deleted; nothing was written. Fetch the destination again.",
      entityName: update.plan.shape.entity.name)
  }
}

extension BatchOutcome {
  /// The changes that a history records of an update, without numbers.
  ///
  /// - Returns: The changes that a history records of an update.
  public func changes(of update: BatchUpdate) -> [StoreHistoryChange] {
    let slots = update.plan.shape.entity.slots
    let ordinals = OrdinalSet(
      update.assignments.filter { slots.indices.contains($0.slot) }
        .compactMap { slots[$0.slot].propertyOrdinal })
    return updated.map { StoreHistoryChange(number: 0, kind: .update, id: $0, updated: ordinals) }
  }
}
