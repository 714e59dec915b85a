import COpenSQLite
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Inserts the rows of a batch with one prepared statement. Confined to one transaction.
struct BatchInsertion {
  let store: SQLiteStore
  let connection: Connection

  /// Inserts rows; collisions end as the batch says.
  func insert(_ batch: BatchInsert) throws(StoreError) -> BatchOutcome {
    var outcome = BatchOutcome()
    let root = batch.entity.rootIndex
    guard !batch.rows.isEmpty,
      let first = try store.reserveKeys([root: batch.rows.count], on: connection)[root]
    else { return outcome }
    let map = store.schema.entities[batch.entity.index]
    let write = PreparedWrite(
      try connection.prepare(store.writes.upsert(into: map, batch.collision)),
      PreparedWrite.wholeRow(of: map))
    var inserted: Set<Int64> = []
    var updated: Set<Int64> = []
    var writer = RowWriter()
    for (index, row) in batch.rows.enumerated() {
      // A new writer now and then, so that the copies do not pile up.
      if index.isMultiple(of: 512) { writer = RowWriter() }
      let key = first + Int64(index)
      let copy = writer.row(of: batch.entity, key: key, version: 1, over: row, values: [])
      guard let written = try run(write, copy, map) else { continue }
      let id = ObjectKey(entityIndex: batch.entity.index, key: written)
      if written == key {
        inserted.insert(key)
        outcome.inserted.append(id)
      } else if !inserted.contains(written), updated.insert(written).inserted {
        outcome.updated.append(try actual(id, in: map))
      }
    }
    return outcome
  }

  /// Runs the statement for one row and returns the key of the row that it wrote; nil for none.
  private func run(
    _ write: PreparedWrite, _ row: Row, _ map: EntityMap
  ) throws(StoreError) -> Int64? {
    let statement = write.statement
    connection.observe(statement.sql)
    defer { statement.reset() }
    let fileCount = connection.external?.addedCount ?? 0
    var code = write.bind(row)
    var key: Int64?
    while code == SQLITE_OK || code == SQLITE_ROW {
      code = sqlite3_step(statement.pointer)
      if code == SQLITE_ROW { key = statement.integer(0) }
    }
    if code == SQLITE_DONE {
      if key == nil { connection.external?.dropAdded(from: fileCount) }
      return key
    }
    var error = connection.error(code, statement: statement.sql)
    error.entityName = map.entity.name
    if error.code == .constraintConflict {
      error.message =
        "A row to insert has the same values under a uniqueness constraint as another one."
    }
    throw error
  }

  /// The id of a row that was there, with its actual entity.
  private func actual(_ id: ObjectKey, in map: EntityMap) throws(StoreError) -> ObjectKey {
    guard map.tableEntities.count > 1 else { return id }
    var actual = id
    let select =
      "SELECT Z_ENT FROM \(AppleDialect().quoted(map.table)) WHERE Z_PK = ?"
    try connection.forEachRow(select, [.integer(id.key)]) { statement in
      guard let index = store.model.entityIndex(numbered: statement.integer(0)) else { return }
      actual = ObjectKey(entityIndex: index, key: id.key)
    }
    return actual
  }
}
