import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Converts the rows of the history to another model version, in the transaction of a migration.
struct HistoryRows {
  private let history: HistoryMigration
  private let migration: SchemaMigration
  private let statements: RowStatements

  init(_ migration: SchemaMigration, _ statements: RowStatements) {
    history = HistoryMigration(migration)
    self.migration = migration
    self.statements = statements
  }

  func migrate(on connection: PostgresConnection) throws(StoreError) {
    let removed = migration.removedEntities.map { migration.source.numbers.number(of: $0.index) }
    try connection.run(
      statements.command(.delete("ACHANGE", column: "ZENTITY"), keys: removed))
    let renamed = history.renamedProperties
    let numbers = renamed.keys.sorted()
    var last = Int64.min
    while !numbers.isEmpty {
      let found = try connection.run(
        statements.dialect.command(OwnStatement.readChanges, [.integer(last), .keys(numbers)]))
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
        statements.command(
          .update("ACHANGE", ["ZCOLUMNS", "ZTOMBSTONE"]),
          [.keys(keys), .array(of: .text, changed), .array(of: .data, tombstones)]))
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
