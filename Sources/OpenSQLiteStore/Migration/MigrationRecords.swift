import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// The records of a file about its model: entity numbers, last keys, version hashes, and the model
/// itself.
struct MigrationRecords {
  let run: SchemaMigrationRun
  let configurationName: String?
  private var migration: SchemaMigration { run.migration }
  private var connection: Connection { run.connection }
  private static let historyNumbers = HistoryNumber.change

  /// A row of `Z_PRIMARYKEY`.
  struct Number: Equatable {
    var number: Int64
    var name: String
    var parent: Int64
    var last: Int64
  }

  /// Reads the rows of entities and all other rows.
  static func numbers(on connection: Connection) throws(StoreError) -> [Number] {
    var numbers: [Number] = []
    let sql = "SELECT Z_ENT, Z_NAME, Z_SUPER, ifnull(Z_MAX, 0) FROM Z_PRIMARYKEY ORDER BY Z_ENT"
    try connection.forEachRow(sql) { row in
      numbers.append(
        Number(
          number: row.integer(0), name: row.text(1) ?? "", parent: row.integer(2),
          last: row.integer(3)))
    }
    return numbers
  }

  /// Writes the numbers of entities with their last keys, unless they are unchanged.
  ///
  /// - Parameter old: The rows of the source.
  func writeNumbers(over old: [Number], isNew: Bool) throws(StoreError) {
    let entities = old.filter { $0.number < Self.historyNumbers }
    let wanted = numbers(after: entities)
    if !isNew, entities == wanted { return }
    let table = "Z_PRIMARYKEY"
    if !isNew {
      try run.run(
        .delete(
          SQLDelete(
            from: table,
            where: .binary(.less, .column(table: nil, "Z_ENT"), .integer(Self.historyNumbers)))),
        [])
    }
    let others = isNew ? old.filter { $0.number >= Self.historyNumbers } : []
    let columns = ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"]
    let insert = SQLStatement.insert(
      SQLInsert(into: table, columns.map { ($0, .parameter(.caller)) }))
    for row in wanted + others {
      try run.run(
        insert, [.integer(row.number), .text(row.name), .integer(row.parent), .integer(row.last)])
    }
  }

  private func numbers(after old: [Number]) -> [Number] {
    let last = Dictionary(old.map { ($0.number, $0.last) }) { first, _ in first }
    let roots = migration.sourceRoots
    return migration.transition.destination.entities.map { entity in
      Number(
        number: Int64(entity.index) + 1, name: entity.name,
        parent: entity.superIndex.map { Int64($0) + 1 } ?? 0,
        last: entity.superIndex == nil
          ? roots[entity.index].flatMap { last[Int64($0) + 1] } ?? 0 : 0)
    }
  }

  /// Writes the version hashes of the destination. The identifier and the application's metadata
  /// are kept.
  func writeMetadata(
    over old: (identifier: String, metadata: StoreMetadata), isNew: Bool
  ) throws(StoreError) {
    let match = ModelMatch(
      model: migration.transition.destination, configurationName: configurationName,
      path: connection.path)
    let metadata = old.metadata.merging(match.metadata()) { $1 }
    if isNew {
      try MetadataTable.insert(metadata, identifier: old.identifier, on: connection)
    } else {
      try MetadataTable.replace(metadata, on: connection)
    }
  }

  /// Writes the store's copy of its model.
  ///
  /// - Parameter hasTable: Whether the file has the table, which is missing in files of the oldest
  ///   frameworks.
  func writeModel(hasTable: Bool) throws(StoreError) {
    let table = "Z_MODELCACHE"
    if hasTable {
      try run.run(.delete(SQLDelete(from: table, where: nil)), [])
    } else {
      var creation = SQLCreateTable(table, [.init("Z_CONTENT", "BLOB")])
      creation.isPadded = false
      try run.run(.createTable(creation), [])
    }
    let descriptions = migration.transition.destination.descriptions
    guard let content = ModelCache.content(of: descriptions) else { return }
    try run.run(
      .insert(SQLInsert(into: table, [("Z_CONTENT", .parameter(.caller))])), [.data(content)])
  }
}
