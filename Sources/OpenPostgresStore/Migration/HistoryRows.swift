import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Converts the rows of the history to another model version, in the transaction of a migration.
struct HistoryRows {
  private let history: HistoryMigration
  private let migration: SchemaMigration
  private let table: String
  private static let portion: Int64 = 10_000

  init(_ migration: SchemaMigration, _ dialect: PostgresDialect) {
    history = HistoryMigration(migration)
    self.migration = migration
    table = dialect.table("ACHANGE")
  }

  func migrate(on connection: PostgresConnection) throws(StoreError) {
    let removed = migration.removedEntities.map { migration.source.numbers.number(of: $0.index) }
    try connection.run([
      PostgresCommand(
        "DELETE FROM \(table) WHERE zentity = ANY($1)", [.keys(removed)], isKept: false)
    ])
    let renamed = history.renamedProperties
    let numbers = renamed.keys.sorted()
    var last = Int64.min
    while !numbers.isEmpty {
      let found = try connection.run(
        """
        SELECT z_pk, zentity, zcolumns, ztombstone FROM \(table) \
        WHERE z_pk > $1 AND zentity = ANY($2) ORDER BY z_pk LIMIT \(Self.portion)
        """, [.integer(last), .keys(numbers)])
      guard found.rowCount > 0 else { return }
      last = found.integer(found.rowCount - 1, 0)
      var keys: [Int64] = []
      var changed: [SlotContent] = []
      var tombstones: [SlotContent] = []
      for row in 0..<found.rowCount {
        let names = renamed[found.integer(row, 1)] ?? [:]
        keys.append(found.integer(row, 0))
        changed.append(found.text(row, 2).map { .text(ChangedNames.renamed($0, names)) } ?? .null)
        tombstones.append(try tombstone(found.data(row, 3), names, connection.place))
      }
      try connection.run(
        """
        UPDATE \(table) AS t SET zcolumns = v.c1, ztombstone = v.c2 \
        FROM unnest($1, $2, $3) AS v(c0, c1, c2) WHERE t.z_pk = v.c0
        """, [.keys(keys), .array(of: .text, changed), .array(of: .data, tombstones)])
    }
  }
  /// The kept values of a deleted row under their new names.
  private func tombstone(
    _ data: Data?, _ names: [String: String], _ place: String
  ) throws(StoreError) -> SlotContent {
    guard let data else { return .null }
    let values = try MetadataList.decode(data, path: place)
    let renamed = Dictionary(
      values.compactMap { name, value in names[name].map { ($0, value) } },
      uniquingKeysWith: { first, _ in first })
    return .data(try MetadataList.encode(renamed, path: place))
  }
}
