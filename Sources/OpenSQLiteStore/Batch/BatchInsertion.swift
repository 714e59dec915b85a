import COpenSQLite
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Inserts the rows of a batch in portions with one prepared statement.
///
/// Confined to one transaction. The insertion retains no rows. It retains the keys of inserted rows
/// only if the keys are requested.
struct BatchInsertion {
  private let batch: BatchInsert
  private let origin: ChangeOrigin
  private let store: SQLiteStore
  private let connection: Connection
  private let map: EntityMap
  private let collision: BatchInsert.Collision
  private let single: PreparedWrite
  /// The statement that writes many rows without collisions; nil if rows are written one by one.
  private let run: PreparedRun?
  /// The first key of the batch. The rows with this key and all greater keys were inserted by the
  /// batch.
  private var first: Int64?
  /// The existing rows that received new values.
  private var updated: Set<Int64> = []
  private var history: HistoryWriter?
  /// The properties that the history records for an existing row with new values.
  private let replaced: OrdinalSet
  private(set) var outcome = BatchOutcome()

  init(
    _ batch: BatchInsert, by origin: ChangeOrigin, in store: SQLiteStore, on connection: Connection
  ) throws(StoreError) {
    self.batch = batch
    self.origin = origin
    self.store = store
    self.connection = connection
    let map = store.schema.entities[batch.entity.index]
    self.map = map
    replaced = batch.replacedOrdinals
    let isConstrained = store.schema.uniqueness.contains { $0.table == map.table }
    collision = isConstrained ? batch.collision : .fail
    single = PreparedWrite(
      try connection.prepare(store.writes.upsert(into: map, collision)),
      PreparedWrite.rowUnderNewKey(of: map))
    run =
      collision == .fail
      ? try .insertion(
        of: PreparedWrite.rowUnderNewKey(of: map), into: map, store.writes, on: connection) : nil
    if store.tombstoneColumnCount != nil {
      history = HistoryWriter(store: store, connection: connection)
    }
  }

  /// Inserts rows and resolves collisions as the batch specifies.
  mutating func insert(_ rows: [Row]) throws(StoreError) {
    let root = batch.entity.rootIndex
    guard var key = try store.reserveKeys([root: rows.count], on: connection)[root] else { return }
    let first = self.first ?? key
    self.first = first
    var changes: [StoreHistoryChange] = []
    let writtenCount = try run?.insert(rows[...], from: key, on: connection) ?? 0
    for _ in 0..<writtenCount {
      noteInsertion(of: key, &changes)
      key += 1
    }
    for row in rows.dropFirst(writtenCount) {
      let written = try write(row, key)
      if written == key {
        noteInsertion(of: key, &changes)
      } else if let written, written < first {
        try noteUpdate(of: written, &changes)
      }
      key += 1
    }
    try record(changes)
    forgetComputedValues(from: first)
  }

  /// Runs the statement for one row and returns the key of the written row, or nil if no row was
  /// written.
  private func write(_ row: Row, _ key: Int64) throws(StoreError) -> Int64? {
    connection.observe(single.statement.sql)
    switch collision {
    case .fail:
      try check(single.write(row.view, expecting: key))
      return key
    case .keep:
      let fileCount = connection.external?.addedCount ?? 0
      try check(single.write(row.view, expecting: key))
      if sqlite3_changes(connection.database) > 0 { return key }
      connection.external?.dropAdded(from: fileCount)
      return nil
    case .replace: return try writtenKey(row, key)
    }
  }

  /// Runs a statement that returns the key of the row that it wrote.
  private func writtenKey(_ row: Row, _ key: Int64) throws(StoreError) -> Int64? {
    let statement = single.statement
    defer { statement.reset() }
    var code = single.bind(row, expecting: key)
    var written: Int64?
    while code == SQLITE_OK || code == SQLITE_ROW {
      code = sqlite3_step(statement.pointer)
      if code == SQLITE_ROW { written = statement.integer(0) }
    }
    try check(code)
    return written
  }

  private func check(_ code: Int32) throws(StoreError) {
    guard code != SQLITE_DONE else { return }
    var error = connection.error(code, statement: single.statement.sql)
    error.entityName = map.entity.name
    if error.code == .constraintConflict {
      error.message =
        "A row to insert violates a uniqueness constraint: another row has the same values."
    }
    throw error
  }

  // MARK: Outcome

  private mutating func noteInsertion(of key: Int64, _ changes: inout [StoreHistoryChange]) {
    let id = ObjectKey(entityIndex: batch.entity.index, key: key)
    outcome.insertedCount += 1
    if batch.detail == .keys { outcome.inserted.append(id) }
    if history != nil { changes.append(StoreHistoryChange(number: 0, kind: .insert, id: id)) }
  }

  /// Records that an existing row received new values.
  private mutating func noteUpdate(
    of key: Int64, _ changes: inout [StoreHistoryChange]
  ) throws(StoreError) {
    guard updated.insert(key).inserted else { return }
    let id = try actual(ObjectKey(entityIndex: batch.entity.index, key: key))
    outcome.updated.append(id)
    guard history != nil else { return }
    changes.append(StoreHistoryChange(number: 0, kind: .update, id: id, updated: replaced))
  }

  private mutating func record(_ changes: [StoreHistoryChange]) throws(StoreError) {
    if let number = outcome.transaction {
      try history?.append(changes, to: number)
    } else {
      outcome.transaction = try history?.write(changes, by: origin)
    }
  }

  /// Returns the id of an existing row with its actual entity.
  private func actual(_ id: ObjectKey) throws(StoreError) -> ObjectKey {
    guard map.tableEntities.count > 1 else { return id }
    var actual = id
    let select =
      "SELECT Z_ENT FROM \(SQLiteDialect().quoted(map.table)) WHERE Z_PK = ?"
    try connection.forEachRow(select, [.integer(id.key)]) { statement in
      guard let index = store.model.entityIndex(numbered: statement.integer(0)) else { return }
      actual = ObjectKey(entityIndex: index, key: id.key)
    }
    return actual
  }

  /// Discards reports of computed values in new rows, which no reader can have read.
  private func forgetComputedValues(from first: Int64) {
    guard !connection.derivedChanges.isEmpty else { return }
    let root = batch.entity.rootIndex
    connection.derivedChanges.removeAll { change in
      guard change.key >= first, let index = store.model.entityIndex(numbered: change.entity)
      else { return false }
      return store.model.entities[index].rootIndex == root
    }
  }
}
