import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Brings the rows of the history to another version of the model, inside the transaction of a migration.
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
    let masked = Set(history.changedMasks)
    let renamed = history.renamedTombstones
    let numbers = masked.union(renamed.keys).sorted()
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
      var masks: [SlotContent] = []
      var tombstones: [SlotContent] = []
      for row in 0..<found.rowCount {
        let number = found.integer(row, 1)
        keys.append(found.integer(row, 0))
        masks.append(found.data(row, 2).map { .data(history.mask($0, of: number)) } ?? .null)
        let names = renamed[number] ?? [:]
        var list = try found.data(row, 3).map { (data) throws(StoreError) in
          try MetadataList.decode(data, path: connection.place)
        }
        if !names.isEmpty, let old = list {
          list = Dictionary(
            old.compactMap { name, value in names[name].map { ($0, value) } },
            uniquingKeysWith: { first, _ in first })
        }
        tombstones.append(
          try list.map { (list) throws(StoreError) in
            .data(try MetadataList.encode(list, path: connection.place))
          } ?? .null)
      }
      try connection.run(
        """
        UPDATE \(table) AS t SET zcolumns = v.c1, ztombstone = v.c2 \
        FROM unnest($1, $2, $3) AS v(c0, c1, c2) WHERE t.z_pk = v.c0
        """, [.keys(keys), .array(of: .data, masks), .array(of: .data, tombstones)])
    }
  }
}
