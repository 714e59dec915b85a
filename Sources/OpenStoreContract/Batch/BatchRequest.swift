public import OpenObjectModel
internal import OpenPredicates

/// A change to many rows that a store executes in one transaction and without managed objects.
public enum BatchRequest: Sendable {
  case update(BatchUpdate)
  /// Deletes the rows that a plan selects, and applies the delete rules to the rows that refer to
  /// the deleted rows.
  case delete(FetchPlan)
}

/// An insertion of rows of one entity; the caller provides the rows in portions.
public struct BatchInsert: Sendable {
  /// The effect of an inserted row that violates a uniqueness constraint.
  public enum Collision: Sendable, Hashable {
    /// Nothing is written; the store throws a `StoreError` with code `.constraintConflict`.
    case fail
    /// The stored row takes every attribute value of the new row and keeps its own relationships.
    case replace
    /// The stored row remains unchanged.
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

  /// The plan that selects the rows to update, without an order, a limit or an offset.
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
  /// The amount of information about rows in an outcome.
  public enum Detail: Sendable {
    /// The number of rows.
    case count
    /// The keys of the rows.
    case keys
  }

  /// The inserted rows; empty if only their number was requested.
  public var inserted: [ObjectKey] = []
  /// The number of inserted rows.
  public var insertedCount = 0
  /// The rows with new values: those that an update selects, those that an insertion replaces, or
  /// those that lose a destination because of a deletion.
  public var updated: [ObjectKey] = []
  /// The deleted rows, including those deleted by delete rules.
  public var deleted: [ObjectKey] = []
  /// The rows in which the store computed derived values.
  public var recomputed: [ObjectKey] = []
  /// The number of the transaction in the store's history; nil without a history or if nothing
  /// changed.
  public var transaction: Int64?

  public init() {}
}

extension StoreBackend {
  /// Deletes the rows that a plan selects, without loading them.
  ///
  /// The delete rules nullify or delete rows of other entities that refer to the deleted rows.
  ///
  /// - Returns: The keys of the deleted rows, including rows deleted by delete rules.
  /// - Throws: `StoreError` with code `.constraintConflict` if a delete rule denies the deletion or
  ///   a remaining row would lose a required destination; another `StoreError` if the store cannot
  ///   be written.
  public func deleteRows(matching plan: FetchPlan) throws(StoreError) -> [ObjectKey] {
    try execute(.delete(plan), origin: ChangeOrigin()).deleted
  }
}

extension BatchInsert {
  /// The ordinals of the properties that the history records for a replaced row: all stored
  /// attributes.
  public var replacedOrdinals: OrdinalSet {
    OrdinalSet(
      entity.properties.filter { $0.attribute != nil && $0.slot != nil }.map(\.ordinal))
  }
}

extension StoreError {
  /// Creates the error of a batch request that writes a row with the same unique values as another
  /// row.
  ///
  /// - Parameters:
  ///   - entity: The entity of the row; nil if it is unknown.
  ///   - statement: The text of the failed statement; nil for a store without statements.
  package static func collision(
    in entity: CompiledEntity?, _ statement: String? = nil
  ) -> StoreError {
    StoreError(
      .constraintConflict,
      "A row to write has the same values under a uniqueness constraint as another one.",
      entityName: entity?.name, statement: statement)
  }

  /// Creates the error of a batch update whose new values refer to rows that do not exist.
  ///
  /// - Returns: A `StoreError` with code `.versionConflict`.
  public static func lostDestination(of update: BatchUpdate) -> StoreError {
    StoreError(
      .versionConflict,
      "A batch update refers to a row that was deleted; nothing was written. Fetch the destination again.",
      entityName: update.plan.shape.entity.name)
  }
}

extension BatchOutcome {
  /// Returns the changes that the history records for an update; each change has the number 0.
  ///
  /// - Parameter update: The update that produced this outcome.
  public func changes(of update: BatchUpdate) -> [StoreHistoryChange] {
    let slots = update.plan.shape.entity.slots
    let ordinals = OrdinalSet(
      update.assignments.filter { slots.indices.contains($0.slot) }
        .compactMap { slots[$0.slot].propertyOrdinal })
    return updated.map { StoreHistoryChange(number: 0, kind: .update, id: $0, updated: ordinals) }
  }
}
