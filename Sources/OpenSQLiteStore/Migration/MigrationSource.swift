import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// The contents of a store's file before its migration.
struct MigrationSource {
  var tables: [String: [String]]
  var objects: [SchemaObject]
  var identifier: String
  var metadata: StoreMetadata
  var numbers: [NumberRow]
  var migration: SchemaMigration

  /// Reads a file and compares it with the source model.
  ///
  /// - Throws: `StoreError` with code `.incompatibleSchema` if the store has another model, or with
  ///   code `.unfitValue` if a row has no value of a property that the transition requires.
  init(
    _ transition: ModelTransition, _ configuration: StoreConfiguration, on connection: Connection
  ) throws(StoreError) {
    tables = try FileTables.read(on: connection)
    try FileTables.requireStore(tables, path: connection.path)
    (identifier, metadata) = try MetadataTable.read(on: connection)
    let match = ModelMatch(
      model: transition.source, configurationName: configuration.configurationName,
      path: connection.path)
    if !configuration.ignoresModelVersion { try match.requireVersions(in: metadata) }
    migration = try SchemaMigration(transition, existing: tables)
    try FileTables.require(
      migration.source.requiredColumns(of: match.members), in: tables, path: connection.path)
    try match.requireNumbers(on: connection)
    numbers = try NumberRow.read(in: connection)
    objects = try Self.objects(on: connection)
    try migration.requireValues(in: connection)
  }

  /// Returns the tables, indexes, views and triggers of a file.
  static func objects(on connection: Connection) throws(StoreError) -> [SchemaObject] {
    var objects: [SchemaObject] = []
    try connection.forEachRow("SELECT type, name, tbl_name, sql FROM sqlite_master") { row in
      objects.append(
        SchemaObject(
          kind: row.text(0) ?? "", name: row.text(1) ?? "", table: row.text(2) ?? "",
          sql: row.text(3)))
    }
    return objects
  }

  /// The tables that neither the source model nor the store itself uses, with the statements that
  /// created them.
  var foreignTables: [SchemaObject] {
    let known = Set(
      migration.source.entities.map(\.table) + migration.source.joins.map(\.name)
        + migration.source.historyColumns.map(\.table)
        + ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"])
    return objects.filter { object in
      object.kind == "table" && !known.contains(object.name)
        && !object.name.hasPrefix("sqlite_") && !object.name.hasPrefix("Z_RT_")
        && !object.name.hasPrefix(SQLTextIndex.prefix)
        && object.sql?.hasPrefix("CREATE TABLE") == true
    }
  }
}
