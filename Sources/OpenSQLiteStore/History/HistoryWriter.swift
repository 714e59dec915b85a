import COpenSQLite
import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Writes one transaction to the history tables, with the same numbers and names as Apple's
/// framework.
///
/// Confined to the transaction whose changes it records. The deleted rows must still exist.
struct HistoryWriter {
  let store: SQLiteStore
  let connection: Connection
  /// The statements that record one deletion, by entity.
  private var deletions: [Int32: String] = [:]

  init(store: SQLiteStore, connection: Connection) {
    self.store = store
    self.connection = connection
  }

  /// Records changes.
  ///
  /// - Returns: The number of the transaction, or nil if there is nothing to record.
  mutating func write(
    _ changes: [StoreHistoryChange], by origin: ChangeOrigin
  ) throws(StoreError) -> Int64? {
    guard !changes.isEmpty else { return nil }
    let number = try insertTransaction(by: origin)
    try append(changes, to: number)
    return number
  }

  /// Records additional changes of a transaction.
  mutating func append(_ changes: [StoreHistoryChange], to number: Int64) throws(StoreError) {
    guard !changes.isEmpty else { return }
    var key =
      try reserve(
        Int64(changes.count), HistoryNumber.change, "ACHANGE") - Int64(changes.count)
    var rest = changes[...]
    while let first = rest.first {
      let run = rest.prefix { $0.isRecorded(like: first) }
      switch first.kind {
      case .delete: try insertDeletions(run, of: first.id.entityIndex, after: key, number)
      case .insert, .update: try insert(run, like: first, after: key, number)
      }
      key += Int64(run.count)
      rest = rest.dropFirst(run.count)
    }
  }

  private func insertTransaction(by origin: ChangeOrigin) throws(StoreError) -> Int64 {
    let number = try reserve(1, HistoryNumber.transaction, "ATRANSACTION")
    connection.historyNumber = number
    store.changes?.begin(number)
    var values: [SlotContent] = [.integer(number), .integer(HistoryNumber.transaction)]
    for text in [origin.author, origin.bundleID, origin.contextName, origin.processID] {
      values.append(try string(text).map { .integer($0) } ?? .null)
    }
    values.append(.real(Date().timeIntervalSinceReferenceDate))
    try connection.run(
      """
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS, \
      ZTIMESTAMP) VALUES (?, ?, ?, ?, ?, ?, ?)
      """, values)
    return number
  }

  /// Reserves numbers after the last number that was assigned or that exists.
  ///
  /// - Returns: The last of the new numbers.
  private func reserve(
    _ count: Int64, _ number: Int64, _ table: String
  ) throws(StoreError) -> Int64 {
    let last = try connection.integer(
      """
      UPDATE Z_PRIMARYKEY SET Z_MAX = max(CAST(ifnull(Z_MAX, 0) AS INTEGER), \
      ifnull((SELECT max(Z_PK) FROM \(SQLiteDialect().quoted(table))), 0)) + ? \
      WHERE Z_ENT = ? RETURNING Z_MAX
      """, [.integer(count), .integer(number)])
    guard let last, (count...NumberRow.greatestKey).contains(last) else {
      throw StoreError(
        .corrupt,
        "The store cannot number new entries of its history because the last number is damaged.",
        path: connection.path, nativeCode: SQLiteFailure.damaged)
    }
    return last
  }

  /// Returns the key of a text that transactions share.
  private func string(_ text: String?) throws(StoreError) -> Int64? {
    guard let text else { return nil }
    if let known = try connection.integer(
      "SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?", [.text(text)])
    {
      return known
    }
    let key = try reserve(1, HistoryNumber.string, "ATRANSACTIONSTRING")
    try connection.run(
      "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (?, ?, ?)",
      [.integer(key), .integer(HistoryNumber.string), .text(text)])
    return key
  }

  /// Records insertions, or updates of the same properties, for objects of one entity.
  private func insert(
    _ run: ArraySlice<StoreHistoryChange>, like first: StoreHistoryChange, after key: Int64,
    _ number: Int64
  ) throws(StoreError) {
    let index = Int(first.id.entityIndex)
    let mask: SlotContent =
      first.kind == .update
      ? .data(store.historyMasks[index].data(of: first.updated, in: store.model.entities[index]))
      : .null
    let mayJoin = !connection.showsValues
    let single = try connection.statement(Self.insertion)
    connection.arena.removeAll()
    bind(first, mask, number, to: single)
    for (position, change) in (mayJoin ? run.prefix(1) : run).enumerated() {
      sqlite3_bind_int64(single.pointer, 5, change.id.key)
      sqlite3_bind_int64(single.pointer, 6, key + Int64(position) + 1)
      try connection.run(single)
    }
    guard mayJoin, run.count > 1 else { return }
    let others = try connection.statement(Self.insertions)
    bind(first, mask, number, to: others)
    try connection.bind(list: run.dropFirst().lazy.map(\.id.key), to: others, at: 5)
    try connection.run(others)
  }

  /// Binds the values that are equal for changes that differ only in their keys.
  private func bind(
    _ change: StoreHistoryChange, _ mask: SlotContent, _ number: Int64, to statement: Statement
  ) {
    sqlite3_bind_int64(statement.pointer, 1, change.kind.rawValue)
    sqlite3_bind_int64(statement.pointer, 2, Int64(change.id.entityIndex) + 1)
    sqlite3_bind_int64(statement.pointer, 3, number)
    _ = statement.bind(mask, at: 4, arena: &connection.arena)
  }

  private static let columns = "Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS"

  /// The statement that records one change.
  private static let insertion =
    "INSERT INTO ACHANGE (Z_PK, \(columns)) VALUES (?6, \(HistoryNumber.change), ?1, ?2, ?5, ?3, ?4)"

  /// The statement that records changes which differ only in their keys, with the next numbers.
  ///
  /// SQLite assigns the numbers without checking whether they are free.
  private static let insertions = """
    INSERT INTO ACHANGE (\(columns)) \
    SELECT \(HistoryNumber.change), ?1, ?2, list.value, ?3, ?4 FROM \(SQLiteDialect().listTable)(?5) AS list
    """

  /// Records deletions of one entity's rows.
  private mutating func insertDeletions(
    _ run: ArraySlice<StoreHistoryChange>, of entityIndex: Int32, after key: Int64,
    _ number: Int64
  ) throws(StoreError) {
    guard run.count > 1, !connection.showsValues else {
      for (position, change) in run.enumerated() {
        try insertDeletion(of: change.id, key + Int64(position) + 1, number)
      }
      return
    }
    let dialect = SQLiteDialect()
    let map = store.schema.entities[Int(entityIndex)]
    let statement = try connection.statement(
      deletion(
        map, key: "? + list.rowid",
        from: """
          \(dialect.listTable)(?) AS list CROSS JOIN \(dialect.quoted(map.table)) \
          ON Z_PK = list.value
          """))
    connection.arena.removeAll()
    let kind = StoreHistoryChange.Kind.delete.rawValue
    for (index, value) in [key + 1, HistoryNumber.change, kind, number].enumerated() {
      sqlite3_bind_int64(statement.pointer, Int32(index) + 1, value)
    }
    try connection.bind(list: run.lazy.map(\.id.key), to: statement, at: 5)
    try connection.run(statement)
  }

  private mutating func insertDeletion(
    of id: ObjectKey, _ key: Int64, _ number: Int64
  ) throws(StoreError) {
    let map = store.schema.entities[Int(id.entityIndex)]
    let sql =
      deletions[id.entityIndex]
      ?? deletion(
        map, key: "?", from: "\(SQLiteDialect().quoted(map.table)) WHERE Z_PK = ?")
    deletions[id.entityIndex] = sql
    try connection.run(
      sql,
      [
        .integer(key), .integer(HistoryNumber.change),
        .integer(StoreHistoryChange.Kind.delete.rawValue), .integer(number), .integer(id.key),
      ])
  }

  /// Returns a statement that records deletions with the values to keep, which the database copies
  /// from the rows.
  ///
  /// - Parameters:
  ///   - map: The entity of the rows.
  ///   - key: The expression of a change's number.
  ///   - source: The source of the rows.
  private func deletion(_ map: EntityMap, key: String, from source: String) -> String {
    let kept = map.entity.tombstoneProperties.prefix(store.tombstoneColumnCount ?? 0)
    let dialect = SQLiteDialect()
    let targets = kept.indices.map { ", ZTOMBSTONE\($0)" }.joined()
    let sources = kept.compactMap { $0.slot.map { ", " + dialect.quoted(map.columns[$0].name) } }
      .joined()
    return """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID\(targets)) \
      SELECT \(key), ?, ?, Z_ENT, Z_PK, ?\(sources) FROM \(source)
      """
  }
}

extension StoreHistoryChange {
  /// Returns whether two changes differ only in their keys when they are recorded.
  fileprivate func isRecorded(like other: StoreHistoryChange) -> Bool {
    kind == other.kind && id.entityIndex == other.id.entityIndex && updated == other.updated
  }
}
