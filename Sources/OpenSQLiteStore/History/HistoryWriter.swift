import COpenSQLite
import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Writes one transaction into the tables of history, as Apple's framework numbers and names things.
///
/// Confined to the transaction whose changes it records; deleted rows must still be there.
struct HistoryWriter {
  let store: SQLiteStore
  let connection: Connection
  /// The statements that record deletions, by entity.
  private var deletions: [Int32: String] = [:]
  /// The statements that record other changes, by how many.
  private var insertions: [Int: Statement] = [:]
  /// Number of rows that one statement writes when there are as many; more are hardly faster.
  private static let blockSize = 20

  init(store: SQLiteStore, connection: Connection) {
    self.store = store
    self.connection = connection
  }

  /// Records changes.
  ///
  /// - Returns: Number of the transaction; nil when there is nothing to record.
  mutating func write(
    _ changes: [HistoryChange], by origin: ChangeOrigin
  ) throws(StoreError) -> Int64? {
    guard !changes.isEmpty else { return nil }
    let number = try insertTransaction(by: origin)
    try append(changes, to: number)
    return number
  }

  /// Records more changes of a transaction.
  mutating func append(_ changes: [HistoryChange], to number: Int64) throws(StoreError) {
    guard !changes.isEmpty else { return }
    var key =
      try reserve(
        Int64(changes.count), HistoryNumber.change, "ACHANGE") - Int64(changes.count)
    var rest = changes[...]
    while let first = rest.first {
      let run = rest.prefix { $0.isRecorded(like: first) }
      switch first.kind {
      case .delete:
        for (position, change) in run.enumerated() {
          try insertDeletion(of: change.id, key + Int64(position) + 1, number)
        }
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

  /// Takes numbers from the last one that was given, or that is there.
  ///
  /// - Returns: The last of the new numbers.
  private func reserve(
    _ count: Int64, _ number: Int64, _ table: String
  ) throws(StoreError) -> Int64 {
    let last = try connection.integer(
      """
      UPDATE Z_PRIMARYKEY SET Z_MAX = max(CAST(ifnull(Z_MAX, 0) AS INTEGER), \
      ifnull((SELECT max(Z_PK) FROM \(AppleDialect().quoted(table))), 0)) + ? \
      WHERE Z_ENT = ? RETURNING Z_MAX
      """, [.integer(count), .integer(number)])
    guard let last, (count...SQLiteStore.lastKey).contains(last) else {
      throw StoreError(
        .corrupt, "The store has no numbers left for its history; the last one is damaged.",
        path: connection.path)
    }
    return last
  }

  /// The key of a text that transactions share.
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

  /// Records insertions, or updates of the same properties, of objects of one entity.
  private mutating func insert(
    _ run: ArraySlice<HistoryChange>, like first: HistoryChange, after key: Int64, _ number: Int64
  ) throws(StoreError) {
    let index = Int(first.id.entityIndex)
    let mask: SlotContent =
      first.kind == .update
      ? .data(store.historyMasks[index].data(of: first.updated, in: store.model.entities[index]))
      : .null
    var rest = run
    while !rest.isEmpty {
      let block = rest.prefix(rest.count < Self.blockSize ? 1 : Self.blockSize)
      let statement = try insertion(of: block.count)
      connection.arena.removeAll()
      _ = statement.bind(mask, at: 5, arena: &connection.arena)
      let pointer = statement.pointer
      sqlite3_bind_int64(pointer, 1, key + Int64(block.startIndex - run.startIndex) + 1)
      sqlite3_bind_int64(pointer, 2, first.kind.rawValue)
      sqlite3_bind_int64(pointer, 3, Int64(index) + 1)
      sqlite3_bind_int64(pointer, 4, number)
      for (position, change) in block.enumerated() {
        sqlite3_bind_int64(pointer, Int32(position) + 6, change.id.key)
      }
      try connection.run(statement)
      rest = rest.dropFirst(block.count)
    }
  }

  /// The statement that records so many changes, alike but for their keys: one or a block.
  private mutating func insertion(of count: Int) throws(StoreError) -> Statement {
    if let known = insertions[count] { return known }
    let statement = try connection.statement(
      count == 1 ? Self.insertionOfOne : Self.insertionOfBlock)
    insertions[count] = statement
    return statement
  }

  private static let insertionOfOne = insertion(of: 1)
  private static let insertionOfBlock = insertion(of: blockSize)

  /// SQL with the first of the change's consecutive keys as its first value.
  private static func insertion(of count: Int) -> String {
    let rows = (0..<count).map {
      "(?1 + \($0), \(HistoryNumber.change), ?2, ?3, ?\($0 + 6), ?4, ?5)"
    }
    return """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) \
      VALUES \(rows.joined(separator: ", "))
      """
  }

  /// Records a deletion with the values to keep, which the database copies from the row.
  private mutating func insertDeletion(
    of id: ObjectKey, _ key: Int64, _ number: Int64
  ) throws(StoreError) {
    let sql = deletions[id.entityIndex] ?? deletion(store.schema.entities[Int(id.entityIndex)])
    deletions[id.entityIndex] = sql
    try connection.run(
      sql,
      [
        .integer(key), .integer(HistoryNumber.change),
        .integer(HistoryChange.Kind.delete.rawValue), .integer(number), .integer(id.key),
      ])
  }

  private func deletion(_ map: EntityMap) -> String {
    let kept = map.entity.tombstoneProperties.prefix(store.tombstoneColumnCount ?? 0)
    let dialect = AppleDialect()
    let targets = kept.indices.map { ", ZTOMBSTONE\($0)" }.joined()
    let sources = kept.compactMap { $0.slot.map { ", " + dialect.quoted(map.columns[$0].name) } }
      .joined()
    return """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID\(targets)) \
      SELECT ?, ?, ?, Z_ENT, Z_PK, ?\(sources) FROM \(dialect.quoted(map.table)) WHERE Z_PK = ?
      """
  }
}

extension HistoryChange {
  /// Whether only keys tell its row in the history from another one's.
  fileprivate func isRecorded(like other: HistoryChange) -> Bool {
    kind == other.kind && id.entityIndex == other.id.entityIndex && updated == other.updated
  }
}
