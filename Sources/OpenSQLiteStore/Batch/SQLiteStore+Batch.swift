import COpenSQLite
import OpenObjectModel
import OpenSQLCore
public import OpenStoreContract

extension SQLiteStore {
  public func execute(
    _ request: BatchRequest, origin: ChangeOrigin
  ) throws(StoreError) -> BatchOutcome {
    try inOneTransaction { (connection) throws(StoreError) in
      try carryOut(request, origin, on: connection)
    }
  }

  public func insert(
    _ batch: BatchInsert, origin: ChangeOrigin, _ next: () throws(StoreError) -> [Row]
  ) throws(StoreError) -> BatchOutcome {
    try inOneTransaction { (connection) throws(StoreError) in
      var insertion = try BatchInsertion(batch, by: origin, in: self, on: connection)
      while true {
        let rows = try next()
        if rows.isEmpty { return insertion.outcome }
        try insertion.insert(rows)
      }
    }
  }

  private func inOneTransaction(
    _ work: (Connection) throws(StoreError) -> BatchOutcome
  ) throws(StoreError) -> BatchOutcome {
    try refuseReadOnly()
    return try pool.withWriter { (connection) throws(StoreError) in
      connection.derivedChanges.removeAll()
      var outcome = try recordingTransaction(on: connection) { () throws(StoreError) in
        (try work(connection), true)
      }
      // A request may make many files deletable at once, and pruning relies on their deletion.
      connection.external?.removal.release(on: connection)
      outcome.recomputed = connection.takeRecomputedKeys(of: model)
      return outcome
    }
  }

  private func carryOut(
    _ request: BatchRequest, _ origin: ChangeOrigin, on connection: Connection
  ) throws(StoreError) -> BatchOutcome {
    switch request {
    case .update(let update):
      var outcome = try self.update(update, on: connection)
      let check = ReferenceCheck(store: self, connection: connection)
      guard try check.missing(among: update.referenced).isEmpty else {
        throw .lostDestination(of: update)
      }
      outcome.transaction = try record(outcome.changes(of: update), origin, on: connection)
      return outcome
    case .delete(let plan):
      var deletion = BatchDeletion(store: self, connection: connection)
      if isOneStatement(plan.shape), deletion.isAlone(plan.shape.entity) {
        return try delete(plan, on: connection)
      }
      let keys = try keys(matching: plan, on: connection)
      return try deletion.delete(keys) { (changes) throws(StoreError) in
        try record(changes, origin, on: connection)
      }
    }
  }

  private func record(
    _ changes: @autoclosure () -> [StoreHistoryChange], _ origin: ChangeOrigin,
    on connection: Connection
  ) throws(StoreError) -> Int64? {
    guard tombstoneColumnCount != nil else { return nil }
    var writer = HistoryWriter(store: self, connection: connection)
    return try writer.write(changes(), by: origin)
  }

  /// Executes a batch update with one statement.
  private func update(
    _ update: BatchUpdate, on connection: Connection
  ) throws(StoreError) -> BatchOutcome {
    let plan = update.plan
    let report = updateReport(of: plan.shape)
    let fetch = try prepare(plan, on: connection) { (lists) throws(StoreError) in
      try fetches.update(update, lists: lists, report: report)
    }
    defer { fetch.statement.reset() }
    var outcome = BatchOutcome()
    switch report {
    case .statement:
      try KeyReader(connection: connection, statement: fetch.statement)
        .forEachBatch(of: plan.shape.entityIndexes) { outcome.updated += $0 }
    case .connection:
      outcome.updated = try connection.keysChanged(
        by: fetch.statement, SQLITE_UPDATE, of: schema.entities[plan.shape.entity.index])
    }
    return outcome
  }

  /// Executes, with one statement, a batch deletion that affects no other rows.
  private func delete(
    _ plan: FetchPlan, on connection: Connection
  ) throws(StoreError) -> BatchOutcome {
    let fetch = try prepare(plan, on: connection) { (lists) throws(StoreError) in
      try fetches.deletion(of: plan.shape, lists: lists)
    }
    defer { fetch.statement.reset() }
    var outcome = BatchOutcome()
    outcome.deleted = try connection.keysChanged(
      by: fetch.statement, SQLITE_DELETE, of: schema.entities[plan.shape.entity.index])
    return outcome
  }

  /// Returns whether one statement can delete the rows of a plan and report their keys, without
  /// recording them in the history.
  private func isOneStatement(_ shape: FetchShape) -> Bool {
    tombstoneColumnCount == nil && !shape.hasLimit && !shape.hasOffset
      && schema.entities[shape.entity.index].tableEntities.count == 1
  }

  /// Returns the statement for a plan, with its values bound.
  private func prepare(
    _ plan: FetchPlan, on connection: Connection,
    _ lower: ([Int: ListForm]) throws(StoreError) -> RenderedSQL
  ) throws(StoreError) -> CompiledFetch {
    let lists = plan.shape.listPositions
    var forms: [Int: ListForm] = [:]
    for list in lists { forms[list] = plan.form(ofList: list) }
    let rendered = try lower(forms)
    let fetch = CompiledFetch(
      try connection.prepare(rendered.text), parameters: rendered.parameters, lists: lists)
    try makeReady(fetch, for: plan, on: connection)
    return fetch
  }

  /// Returns how an update reports the changed rows of one entity. The connection can report them
  /// unless triggers also write.
  private func updateReport(of shape: FetchShape) -> FetchLowering.UpdateReport {
    let hasTriggers = model.entities.contains { entity in
      entity.properties.contains { $0.attribute?.derivation != nil }
    }
    return hasTriggers || schema.entities[shape.entity.index].tableEntities.count > 1
      ? .statement : .connection
  }
}
