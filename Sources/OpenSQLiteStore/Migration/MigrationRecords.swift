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

  /// Writes the numbers of entities with their last keys, unless they are unchanged.
  ///
  /// - Parameter old: The rows of the source.
  func writeNumbers(over old: [NumberRow], isNew: Bool) throws(StoreError) {
    let entities = old.filter { $0.number < Self.historyNumbers }
    let wanted = migration.numberRows(after: entities)
    if !isNew, entities == wanted { return }
    if !isNew {
      try run.run(
        .delete(
          SQLDelete(
            from: "Z_PRIMARYKEY",
            where: .binary(.less, .column(table: nil, "Z_ENT"), .integer(Self.historyNumbers)))),
        [])
    }
    let others = isNew ? old.filter { $0.number >= Self.historyNumbers } : []
    for row in wanted + others { try run.run(NumberRow.insertion, row.values) }
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
      try connection.replaceMetadata(metadata, ofType: MetadataTable.storeType)
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
