import COpenSQLite
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Finds the references to missing rows that a change set would cause: new references, and
/// references to rows that the change set deletes.
///
/// The check runs at the end of the transaction that wrote the change set, so that no other writer
/// can delete a destination or add a reference between the check and the commit. Confined to this
/// transaction.
struct ReferenceCheck {
  let store: SQLiteStore
  let connection: Connection

  /// Returns the ids for which no row exists, using one statement for each table.
  func missing(among ids: [ObjectKey]) throws(StoreError) -> [ObjectKey] {
    guard let first = ids.first else { return [] }
    let root = store.model.root(of: first)
    // Mostly all destinations are rows of one table.
    if ids.allSatisfy({ store.model.root(of: $0) == root }) {
      return try missing(among: ids, of: root)
    }
    var missing: [ObjectKey] = []
    let roots = Dictionary(grouping: ids, by: store.model.root(of:))
    for (root, ids) in roots.sorted(by: { $0.key < $1.key }) {
      missing += try self.missing(among: ids, of: root)
    }
    return missing
  }

  private func missing(among ids: [ObjectKey], of root: Int) throws(StoreError) -> [ObjectKey] {
    let table = store.schema.entities[root].table
    var absent: Set<Int64> = []
    try connection.look(up: ids.map(\.key), by: .absentKeys(table: table), store.fetches) {
      absent.insert($0.integer(0))
    }
    return absent.isEmpty ? [] : ids.filter { absent.contains($0.key) }
  }

  /// Returns a conflict for each deleted row to which other rows still refer, unless the delete
  /// rule of the deleted row's relationship is No Action.
  func remaining(to deletions: [ChangeSet.Deletion]) throws(StoreError) -> [StoreConflict] {
    if deletions.isEmpty { return [] }
    var conflicts: [StoreConflict] = []
    for reference in RemainingReference.all(to: deletions, in: store.model) {
      conflicts += reference.conflicts(try referring(reference))
    }
    return conflicts
  }

  /// Returns the rows that refer to deleted rows, grouped by key.
  private func referring(
    _ reference: RemainingReference
  ) throws(StoreError) -> [Int64: [ObjectKey]] {
    guard let slot = reference.property.slot else { return [:] }
    let map = store.schema.entities[reference.entityIndex]
    var found: [Int64: [ObjectKey]] = [:]
    try connection.look(
      up: reference.ids.map(\.key),
      by: .referringRows(table: map.table, column: map.columns[slot].name), store.fetches
    ) { (statement) throws(StoreError) in
      guard let index = store.model.entityIndex(numbered: statement.integer(2)) else { return }
      // Entities that share a table may share a column.
      guard map.entity.subtree.contains(index) else { return }
      found[statement.integer(0), default: []].append(
        ObjectKey(entityIndex: index, key: statement.integer(1)))
    }
    return found
  }
}

extension Connection {
  /// Runs a statement that finds keys in a bound list, and calls `body` for each row of the result.
  func look(
    up keys: [Int64], by lookUp: KeyLookUp, _ lowering: FetchLowering,
    _ body: (Statement) throws(StoreError) -> Void
  ) throws(StoreError) {
    let statement = try statement(for: lookUp, lowering)
    arena.removeAll()
    try bind(list: keys.sortedAndUnique, to: statement, at: 1)
    observe(statement.sql)
    defer { statement.reset() }
    while true {
      let code = sqlite3_step(statement.pointer)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw error(code, statement: statement.sql) }
      try body(statement)
    }
  }

  private func statement(
    for lookUp: KeyLookUp, _ lowering: FetchLowering
  ) throws(StoreError) -> Statement {
    if let known = fetches.keyLookUps[lookUp] { return known }
    let new = try prepare(lowering.text(of: lookUp))
    fetches.keyLookUps[lookUp] = new
    return new
  }
}
