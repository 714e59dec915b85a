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
        let rows = try connection.feeding(next)
        if rows.isEmpty { return insertion.outcome }
        try insertion.insert(rows)
      }
    }
  }

  private func inOneTransaction(
    _ work: (Connection) throws(StoreError) -> BatchOutcome
  ) throws(StoreError) -> BatchOutcome {
    try requireWritable()
    return try pool.withWriter { (connection) throws(StoreError) in
      connection.derivedChanges.removeAll()
      var outcome = try recordingTransaction(on: connection) { () throws(StoreError) in
        (try work(connection), true)
      }
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
      outcome.transaction = try record(outcome.changes(of: update), origin, on: connection)
      return outcome
    case .delete(let plan):
      let keys = try keys(matching: plan, on: connection)
      var deletion = BatchDeletion(store: self, connection: connection)
      return try deletion.delete(keys) { (changes) throws(StoreError) in
        try record(changes, origin, on: connection)
      }
    }
  }

  private func record(
    _ changes: @autoclosure () -> [HistoryChange], _ origin: ChangeOrigin,
    on connection: Connection
  ) throws(StoreError) -> Int64? {
    guard tombstoneColumnCount != nil else { return nil }
    var writer = HistoryWriter(store: self, connection: connection)
    return try writer.write(changes(), by: origin)
  }

  /// Carries a batch update out in one statement.
  private func update(
    _ update: BatchUpdate, on connection: Connection
  ) throws(StoreError) -> BatchOutcome {
    let plan = update.plan
    let lists = plan.shape.listPositions
    var forms: [Int: ListForm] = [:]
    for list in lists {
      forms[list] = plan.bindings.indices.contains(list) ? ListForm(plan.bindings[list]) : .empty
    }
    let report = updateReport(of: plan.shape)
    let rendered = try fetches.update(update, lists: forms, report: report)
    let fetch = PreparedFetch(
      try connection.prepare(rendered.text), parameters: rendered.parameters, lists: lists)
    let code = bind(plan, to: fetch, in: &connection.arena)
    guard code == 0 else { throw connection.error(code, statement: rendered.text) }
    connection.observe(rendered.text)
    defer { fetch.statement.reset() }
    var outcome = BatchOutcome()
    switch report {
    case .statement:
      try KeyReader(connection: connection, statement: fetch.statement)
        .forEachBatch(of: plan.shape.entityIndexes) { outcome.updated += $0 }
    case .connection:
      outcome.updated = try connection.keysUpdated(by: fetch.statement, of: plan.shape.entity)
    }
    return outcome
  }

  /// The connection can tell the rows of one entity, as long as no trigger writes beside the statement.
  private func updateReport(of shape: FetchShape) -> FetchLowering.UpdateReport {
    let hasTriggers = model.entities.contains { entity in
      entity.properties.contains { $0.attribute?.derivation != nil }
    }
    return hasTriggers || schema.entities[shape.entity.index].tableEntities.count > 1
      ? .statement : .connection
  }
}
