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
    for change in changes {
      key += 1
      switch change.kind {
      case .delete: try insertDeletion(of: change.id, key, number)
      case .insert, .update: try insert(change, key, number)
      }
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

  private func insert(
    _ change: HistoryChange, _ key: Int64, _ number: Int64
  ) throws(StoreError) {
    let index = Int(change.id.entityIndex)
    let mask: SlotContent =
      change.kind == .update
      ? .data(store.historyMasks[index].data(of: change.updated, in: store.model.entities[index]))
      : .null
    try connection.run(
      """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) \
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(key), .integer(HistoryNumber.change), .integer(change.kind.rawValue),
        .integer(Int64(index) + 1), .integer(change.id.key), .integer(number), mask,
      ])
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
