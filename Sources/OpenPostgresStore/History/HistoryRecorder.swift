import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenStoreContract

/// Creates the statements that write one transaction to the history.
///
/// The statements must be the last statements of the transaction. They lock a row, so that the
/// order of the transaction numbers is the order of the commits.
struct HistoryRecorder {
  let store: PostgresStore
  /// The index of the statement that returns the number of the transaction.
  static let entryIndex = 1
  /// The maximum number of changes in a statement.
  private static let greatestCount = 10_000
  /// The maximum size of the preserved values in a statement, in bytes. A larger value has its own
  /// statement.
  private static let greatestSize = 4 << 20

  /// Returns the statements, which include the statement at ``entryIndex``.
  func commands(
    for changes: [StoreHistoryChange], by origin: ChangeOrigin, commit: UUID
  ) throws(StoreError) -> [PostgresCommand] {
    let dialect = store.dialect
    let (transactions, own) = (dialect.table("ATRANSACTION"), dialect.table("Z_STORE"))
    let entry = PostgresCommand(
      """
      INSERT INTO \(transactions) (z_pk, zcommit, zprocess, ztimestamp, zauthor, zbundleid, zcontextname, zprocessid) \
      SELECT greatest(coalesce((SELECT max(z_pk) FROM \(transactions)), 0), (SELECT z_purged FROM \(own))) + 1, \
      $1, $2, $3, $4, $5, $6, $7 RETURNING z_pk
      """,
      [
        PostgresValue(commit), PostgresValue(ChangeListener.process),
        .real(Date().timeIntervalSinceReferenceDate), .text(origin.author),
        .text(origin.bundleID), .text(origin.contextName), .text(origin.processID),
      ])
    let lock = PostgresCommand("SELECT z_id FROM \(own) FOR NO KEY UPDATE")
    return [lock, entry] + (try self.changes(changes))
  }

  private func changes(_ changes: [StoreHistoryChange]) throws(StoreError) -> [PostgresCommand] {
    var commands: [PostgresCommand] = []
    var tombstones: [SlotContent] = []
    var size = 0
    var start = 0
    for (index, change) in changes.enumerated() {
      let tombstone = try tombstone(change)
      let count = tombstone.byteCount
      if tombstones.count == Self.greatestCount || (size + count > Self.greatestSize && size > 0) {
        commands.append(command(for: changes[start..<index], tombstones))
        (tombstones, size, start) = ([], 0, index)
      }
      tombstones.append(tombstone)
      size += count
    }
    return commands + [command(for: changes[start...], tombstones)]
  }

  /// Returns the statement that continues the numbers of earlier changes.
  private func command(
    for changes: ArraySlice<StoreHistoryChange>, _ tombstones: [SlotContent]
  ) -> PostgresCommand {
    let dialect = store.dialect
    let (transactions, own) = (dialect.table("ATRANSACTION"), dialect.table("Z_STORE"))
    let table = dialect.table("ACHANGE")
    var names = PostgresArray(of: .text, count: changes.count)
    for change in changes {
      let index = Int(change.id.entityIndex)
      names.append(
        change.kind == .update
          ? .text(ChangedNames.text(of: change.updated, in: store.model.entities[index])) : .null)
    }
    return PostgresCommand(
      """
      INSERT INTO \(table) (ztransactionid, z_pk, zchangetype, zentity, zentitypk, zcolumns, ztombstone) \
      SELECT (SELECT max(z_pk) FROM \(transactions)), \
      greatest(coalesce((SELECT max(z_pk) FROM \(table)), 0), (SELECT z_purgedchange FROM \(own))) + v.place, \
      v.kind, v.entity, v.key, v.columns, v.tombstone \
      FROM unnest($1, $2, $3, $4, $5) WITH ORDINALITY AS v(kind, entity, key, columns, tombstone, place)
      """,
      [
        .keys(changes.map(\.kind.rawValue)),
        .keys(changes.map { store.schema.numbers.number(of: Int($0.id.entityIndex)) }),
        .keys(changes.map(\.id.key)), names.value, .array(of: .data, tombstones),
      ])
  }

  /// Returns the values to preserve of a deleted row, as a property list by name; null if there are
  /// none.
  private func tombstone(_ change: StoreHistoryChange) throws(StoreError) -> SlotContent {
    guard !change.tombstone.isEmpty else { return .null }
    let entity = store.model.entities[Int(change.id.entityIndex)]
    var list: StoreMetadata = [:]
    for (ordinal, value) in change.tombstone {
      let name = entity.properties[ordinal].name
      switch value {
      case .int(let integer): list[name] = integer
      case .bool(let flag): list[name] = flag
      case .double(let real), .date(let real): list[name] = real
      case .string(let text): list[name] = text
      case .url(let url): list[name] = url.absoluteString
      case .data(let data): list[name] = data
      case .uuid(let uuid): list[name] = withUnsafeBytes(of: uuid.uuid) { Data($0) }
      case .decimal(let decimal): list[name] = decimal.decimal.description
      case .object, .list, .null: continue
      }
    }
    return .data(try MetadataList.encode(list, path: nil))
  }
}
