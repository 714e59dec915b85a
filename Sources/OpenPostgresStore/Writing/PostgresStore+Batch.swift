import OpenObjectModel
import OpenPredicates
import OpenSQLCore
public import OpenStoreContract

extension PostgresStore {
  public func execute(
    _ request: BatchRequest, origin: ChangeOrigin
  ) throws(StoreError) -> BatchOutcome {
    try refuseReadOnly()
    var outcome = BatchOutcome()
    outcome.transaction = try transaction(by: origin) { (connection) throws(StoreError) in
      outcome = BatchOutcome()
      switch request {
      case .update(let update): return try self.update(update, &outcome, on: connection)
      case .delete(let plan): return try delete(plan, &outcome, on: connection)
      }
    }
    return outcome
  }

  // MARK: Updating

  private func update(
    _ update: BatchUpdate, _ outcome: inout BatchOutcome, on connection: PostgresConnection
  ) throws(StoreError) -> Ending {
    let plan = update.plan
    guard try allowsOneStatement(update) else {
      let rows = try lockedRows(of: plan, on: connection)
      let changes = try inSnapshot(on: connection) { (snapshot) throws(StoreError) in
        try update.changes(of: rows, in: snapshot)
      }
      outcome.updated = changes.updated.map { $0.row.objectKey }
      var set = changes
      set.referenced = update.referenced
      return try write(set, &outcome, on: connection) { .lostDestination(of: update) }
    }
    var references = ChangeSet()
    references.referenced = update.referenced
    let locked = try write(references, &outcome, on: connection) { .lostDestination(of: update) }
    guard case .commit = locked else { return locked }
    let command = bind(plan, to: try fetches.update(update, lists: forms(of: plan)))
    let result: PostgresResult
    do throws(StoreError) { result = try connection.run(command) } catch {
      throw error.inBatch(of: plan.shape.entity)
    }
    for row in 0..<result.rowCount {
      outcome.updated.append(
        ObjectKey(
          entityIndex: schema.numbers.index(of: result.integer(row, 1)),
          key: result.integer(row, 0)))
    }
    return .commit(tracksHistory ? outcome.changes(of: update) : [], of: nil)
  }

  /// Returns whether the server can find the rows and compute their new values with one statement.
  ///
  /// After it has waited for a lock, the statement must test the new version of the row, which the
  /// server does only for conditions outside a subselect. Large values are left to
  /// ``RowStatements``, which checks the sizes of values and rows.
  private func allowsOneStatement(_ update: BatchUpdate) throws(StoreError) -> Bool {
    let shape = update.plan.shape
    guard ServerJudgement(plan: update.plan, model: model).allows(.count), !shape.hasLimit,
      !shape.hasOffset, derivedAttributes.isEmpty,
      try !fetches.selectsRowsInSubselect(shape, lists: forms(of: update.plan))
    else { return false }
    let entity = shape.entity
    return update.assignments.allSatisfy { assignment in
      guard case .binding(let position) = assignment.operand,
        entity.slots.indices.contains(assignment.slot),
        !schema.translatedSlots[entity.index].contains(assignment.slot),
        let content = SlotContent(
          update.plan.binding(position), as: entity.slots[assignment.slot].kind)
      else { return false }
      return content.byteCount <= RowStatements.greatestSize
    }
  }

  /// Returns the rows of a plan, which stay locked until the transaction ends.
  ///
  /// Another transaction may change rows until they are locked, so the rows are selected again
  /// afterward. Rows that the plan selects only then are not locked, and are left out.
  private func lockedRows(
    of plan: FetchPlan, on connection: PostgresConnection
  ) throws(StoreError) -> [Row] {
    let locked = Set(try keys(of: plan, on: connection).map(\.key))
    guard !locked.isEmpty else { return [] }
    let root = model.entities[plan.shape.entity.rootIndex]
    try connection.run(
      rowStatements.locking(locked, of: schema.entities[root.index].table, .update))
    let selected = locked.intersection(try keys(of: plan, on: connection).map(\.key))
    var rows: [Row] = []
    try self.rows(of: root, keys: Array(selected), on: connection).forEachRow { rows.append($0) }
    return rows.sorted { $0.key < $1.key }
  }

  /// Writes a change set in a transaction and returns the ending of the transaction.
  private func write(
    _ changes: ChangeSet, _ outcome: inout BatchOutcome, on connection: PostgresConnection,
    orThrow error: () -> StoreError
  ) throws(StoreError) -> Ending {
    let written: ChangeFlight.Outcome
    let flight = ChangeFlight(self, on: connection, changes)
    do throws(StoreError) { written = try flight.run() } catch {
      throw error.inBatch(of: nil)
    }
    switch written {
    case .written(let history, let recomputed):
      outcome.recomputed = recomputed
      return .commit(history, of: changes)
    case .conflicts: throw error()
    }
  }

  // MARK: Deleting

  private func delete(
    _ plan: FetchPlan, _ outcome: inout BatchOutcome, on connection: PostgresConnection
  ) throws(StoreError) -> Ending {
    let rows = try lockedRows(of: plan, on: connection)
    let changes = try inSnapshot(on: connection) { (snapshot) throws(StoreError) in
      try DeletionEvaluation.changes(deleting: rows, in: snapshot)
    }
    outcome.updated = changes.updated.map { $0.row.objectKey }
    outcome.deleted = changes.deleted.map(\.id)
    return try write(changes, &outcome, on: connection) {
      StoreError(
        .constraintConflict,
        "Another process changed rows that the batch deletion affects. Execute the request again.",
        entityName: plan.shape.entity.name)
    }
  }
}

extension StoreError {
  /// Returns the error of a batch request for the failure of a statement.
  ///
  /// - Parameter entity: The entity of the written rows; nil if it is unknown.
  func inBatch(of entity: CompiledEntity?) -> StoreError {
    isUniqueViolation ? StoreError.collision(in: entity, statement) : self
  }
}
