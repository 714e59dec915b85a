import COpenSQLite
import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Writes one change set inside a transaction.
///
/// The writer first checks the rows that must be unchanged. It then writes deletions, updates,
/// insertions, join rows and metadata, in this order, and finally checks the references. Conflicts
/// are collected, so that all of them are reported. Confined to one commit.
struct ChangeWriter {
  /// The reason why a row cannot be written as the change set requires.
  enum Failure {
    case version(id: ObjectKey, expected: Int64)
    case constraint(id: ObjectKey, UniquenessMap)
    case reference(StoreConflict)
  }

  let store: SQLiteStore
  let connection: Connection
  private(set) var failures: [Failure] = []
  /// Updates that violated a uniqueness constraint while other rows still had their old values.
  private var deferred: [(update: ChangeSet.Update, constraint: UniquenessMap)] = []
  private var lastReserved: [Int: Int64] = [:]
  private var schema: SchemaMap { store.schema }

  init(store: SQLiteStore, connection: Connection) {
    self.store = store
    self.connection = connection
  }

  /// Records keys that this transaction reserved.
  mutating func reserved(_ root: Int, upTo key: Int64) { lastReserved[root] = key }

  mutating func write(_ changes: ChangeSet) throws(StoreError) {
    try check(changes.unchanged)
    for deletion in changes.deleted { try delete(deletion) }
    try write(changes.updated)
    try writeDeferred()
    try insert(changes.inserted)
    var writer = JoinRowWriter(store: store, connection: connection)
    for joinRow in changes.joinRows { try writer.write(joinRow) }
    let order = OrderWriter(store: store, connection: connection)
    for ordering in changes.orderings { try order.write(ordering) }
    if let metadata = changes.metadata { try MetadataTable.write(metadata, on: connection) }
    try checkReferences(of: changes)
  }

  /// Finds references to missing rows, after all rows are written.
  private mutating func checkReferences(of changes: ChangeSet) throws(StoreError) {
    let check = ReferenceCheck(store: store, connection: connection)
    for id in try check.missing(among: changes.referenced) {
      failures.append(.reference(.missingDestination(id: id)))
    }
    for conflict in try check.remaining(to: changes.deleted) {
      failures.append(.reference(conflict))
    }
  }

  /// Compares rows that are not written with their expected versions. Other writers can no longer
  /// change them.
  private mutating func check(_ expectations: [ChangeSet.Expectation]) throws(StoreError) {
    let byRoot = Dictionary(grouping: expectations) { store.model.root(of: $0.id) }
    for (root, group) in byRoot.sorted(by: { $0.key < $1.key }) {
      var versions: [Int64: Int64] = [:]
      try store.rows(of: store.model.entities[root], keys: group.map(\.id.key), on: connection)
        .forEachRow { versions[$0.key] = $0.version }
      for row in group where versions[row.id.key] != row.version {
        failures.append(.version(id: row.id, expected: row.version))
      }
    }
  }

  private mutating func delete(_ deletion: ChangeSet.Deletion) throws(StoreError) {
    let id = deletion.id
    let map = schema.entities[Int(id.entityIndex)]
    let request = WriteRequest.delete(map.table)
    var changed = try connection.run(
      request, store.writes, id.key, deletion.expectedVersion)
    if changed == 0, try completeVersion(of: id.key, in: map, deletion.expectedVersion) {
      changed = try connection.run(request, store.writes, id.key, deletion.expectedVersion)
    }
    guard changed == 1 else {
      failures.append(.version(id: id, expected: deletion.expectedVersion))
      return
    }
    try JoinRowWriter(store: store, connection: connection).removeAll(of: id.key, in: map.entity)
  }

  /// Writes updates. Consecutive updates of the same properties are written together until one of
  /// them does not find its row.
  private mutating func write(_ updates: [ChangeSet.Update]) throws(StoreError) {
    var index = 0
    while index < updates.count {
      let slots = updates[index].slots
      let map = schema.entities[updates[index].row.entityIndex]
      let end = gather(updates, from: index)
      if end - index >= PackedRowTable.worthwhile {
        index += try writeTogether(slots, of: map)
      }
      guard index < end else { continue }
      let statement = try connection.writes.update(slots, of: map, store.writes, on: connection)
      let external = connection.external
      for update in updates[index..<end] {
        connection.observe(statement.statement.sql)
        let fileCount = external?.addedCount ?? 0
        let code = statement.write(update.row.view, expecting: update.expectedVersion)
        if code != SQLITE_DONE || sqlite3_changes(connection.database) != 1 {
          // A later attempt to write the row adds its files again.
          external?.dropAdded(from: fileCount)
          try note(update, code, statement)
        }
      }
      index = end
    }
  }

  /// Adds updates of the same properties to the connection's row table.
  ///
  /// - Returns: The index after the last of these updates.
  private func gather(_ updates: [ChangeSet.Update], from start: Int) -> Int {
    let source = connection.source
    source.removeAll()
    let entityIndex = updates[start].row.view.entityIndex
    let end = min(updates.count, start + PackedRowTable.limit)
    var index = start
    while index < end {
      // The rows were packed one by one; by now the first ones are far away.
      if index + 2 < end { updates[index + 2].row.view.prefetch(64) }
      let row = updates[index].row.view
      guard row.entityIndex == entityIndex, updates[index].slots == updates[start].slots else {
        break
      }
      // The statement that writes many rows requires the version before the new version.
      let isNext = row.version == updates[index].expectedVersion &+ 1
      guard isNext || index == start else { break }
      source.append(row)
      index += 1
      if !isNext { break }
    }
    return index
  }

  /// Writes the gathered updates until one of them does not find its row.
  ///
  /// - Returns: The number of written updates.
  private func writeTogether(_ slots: OrdinalSet, of map: EntityMap) throws(StoreError) -> Int {
    let run = try connection.writes.updateRun(
      slots, of: map, constraints: schema.uniqueness, store.writes, on: connection)
    guard let run else { return 0 }
    return try run.write(on: connection)
  }

  /// Records that an update did not change its row.
  private mutating func note(
    _ update: ChangeSet.Update, _ code: Int32, _ statement: PreparedWrite
  ) throws(StoreError) {
    let map = schema.entities[update.row.entityIndex]
    if code != SQLITE_DONE {
      deferred.append((update, try constraint(code, map, statement.statement.sql)))
    } else if try completeVersion(of: update.row.key, in: map, update.expectedVersion) {
      try write([update])
    } else {
      failures.append(.version(id: update.row.objectKey, expected: update.expectedVersion))
    }
  }

  /// Gives a row of another program that has no version the version 0, as which it is read.
  ///
  /// - Returns: Whether the row had no version, although it was expected to have the version 0.
  private func completeVersion(
    of key: Int64, in map: EntityMap, _ expected: Int64
  ) throws(StoreError) -> Bool {
    guard expected == 0 else { return false }
    return try connection.run(.completeVersion(map.table), store.writes, key) == 1
  }

  /// Writes the updates that violated a constraint, after the old values of all constraints of
  /// their rows were cleared.
  ///
  /// Rows can therefore exchange unique values. Remaining violations are conflicts.
  private mutating func writeDeferred() throws(StoreError) {
    let waiting = deferred
    deferred = []
    for (update, constraint) in waiting {
      // SQLite reports only the first constraint that an update violates.
      for other in schema.uniqueness where other.table == constraint.table {
        let clearing = WriteRequest.clear(
          other.columns, table: other.table, column: "Z_PK", raisesVersion: false)
        try connection.run(clearing, store.writes, update.row.key)
      }
    }
    try write(waiting.map { restoring(constraintsOf: $0.constraint.table, $0.update) })
    for (update, constraint) in deferred {
      failures.append(.constraint(id: update.row.objectKey, constraint))
    }
    deferred = []
  }

  /// Returns the update including the values of a table's constraints, which were cleared, even if
  /// the values did not change.
  private func restoring(
    constraintsOf table: String, _ update: ChangeSet.Update
  ) -> ChangeSet.Update {
    let entity = schema.entities[update.row.entityIndex].entity
    var whole = update
    for name in schema.uniqueness.lazy.filter({ $0.table == table }).flatMap(\.properties) {
      let slot = entity.ordinal(of: name).flatMap { entity.properties[$0].slot }
      if let slot { whole.slots.insert(slot) }
    }
    return whole
  }

  private mutating func insert(_ rows: [Row]) throws(StoreError) {
    var highest: [Int: Int64] = [:]
    var start = 0
    while start < rows.count {
      let entityIndex = rows[start].entityIndex
      var end = start + 1
      while end < rows.count, rows[end].entityIndex == entityIndex { end += 1 }
      let last = try insert(rows[start..<end], into: schema.entities[entityIndex])
      let root = store.model.entities[entityIndex].rootIndex
      highest[root] = max(highest[root] ?? last, last)
      start = end
    }
    try raiseLastKeys(to: highest)
  }

  /// Inserts rows of one entity.
  ///
  /// - Returns: The greatest key of these rows.
  private mutating func insert(
    _ rows: ArraySlice<Row>, into map: EntityMap
  ) throws(StoreError) -> Int64 {
    var written = 0
    if rows.count >= PackedRowTable.worthwhile {
      let run = try connection.writes.insertRun(into: map, store.writes, on: connection)
      written = try run?.insert(rows, on: connection) ?? 0
    }
    if written < rows.count { try insertOneByOne(rows.dropFirst(written), into: map) }
    return rows.reduce(Int64.min) { max($0, $1.key) }
  }

  /// Inserts rows with one execution of the statement for each row.
  private mutating func insertOneByOne(
    _ rows: ArraySlice<Row>, into map: EntityMap
  ) throws(StoreError) {
    let statement = try connection.writes.insert(into: map, store.writes, on: connection)
    for row in rows {
      connection.observe(statement.statement.sql)
      let code = statement.write(row.view)
      if code == SQLITE_DONE { continue }
      if code == SQLiteFailure.primaryKeyConstraint || code == SQLiteFailure.rowidConstraint {
        failures.append(.version(id: row.objectKey, expected: 0))
        continue
      }
      let constraint = try constraint(code, map, statement.statement.sql)
      failures.append(.constraint(id: row.objectKey, constraint))
      // The transaction will be rolled back, and the other rows of the table cannot violate a
      // different constraint.
      if schema.uniqueness.count(where: { $0.table == constraint.table }) == 1 { break }
    }
  }

  /// Raises the last keys, so that keys from other sources are not reused.
  private func raiseLastKeys(to highest: [Int: Int64]) throws(StoreError) {
    for (root, key) in highest.sorted(by: { $0.key < $1.key }) where key > lastReserved[root] ?? 0 {
      try connection.run(.raiseLastKey, store.writes, key, Int64(root) + 1, key)
    }
  }

  /// Returns the uniqueness constraint that a statement violated.
  private func constraint(
    _ code: Int32, _ map: EntityMap, _ sql: String
  ) throws(StoreError) -> UniquenessMap {
    switch code {
    case SQLiteFailure.uniqueConstraint:
      let message = String(cString: sqlite3_errmsg(connection.database))
      if let constraint = schema.constraint(namedIn: message, of: map) { return constraint }
      throw connection.error(code, statement: sql)
    default: throw connection.error(code, statement: sql)
    }
  }
}

extension SchemaMap {
  /// Finds a constraint by SQLite's message, which lists "table.column" for each column of the
  /// index.
  fileprivate func constraint(namedIn message: String, of map: EntityMap) -> UniquenessMap? {
    guard let colon = message.range(of: ": ") else { return nil }
    let columns = message[colon.upperBound...].split(separator: ", ").map { name in
      String(name.split(separator: ".").last ?? name)
    }
    return uniqueness.first { $0.table == map.table && $0.columns == columns }
      ?? uniqueness.first { $0.table == map.table && Set($0.columns) == Set(columns) }
  }
}
