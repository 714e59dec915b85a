import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// The contents of a store before its migration.
struct MigrationSource {
  let metadata: StoreMetadata
  let rows: [NumberRow]
  let migration: SchemaMigration
  /// The tables and indexes of the layout that exist in the schema.
  let objects: [SchemaObject]
  /// The names of the tables of the layout that exist in the schema.
  var tables: [String] { objects.filter { $0.kind == "table" }.map(\.name) }

  /// Reads a store and compares it with the source model.
  ///
  /// - Throws: `StoreError` with code `.incompatibleSchema` if the store's model is not the source
  ///   model, or with code `.unfitValue` if a row has no value of a property that the transition
  ///   requires.
  init(
    _ transition: ModelTransition, _ configuration: StoreConfiguration,
    in session: PostgresSession
  ) throws(StoreError) {
    let dialect = session.dialect
    metadata = try MetadataRow.read(in: session).metadata
    let match = ModelMatch(
      model: transition.source, configurationName: configuration.configurationName,
      path: session.path)
    if !configuration.ignoresModelVersion { try match.requireVersions(in: metadata) }
    rows = try NumberRow.read(in: session)
    let names = transition.source.entities.map(\.name)
    let source = try SchemaMap(
      transition.source, dialect: dialect,
      numbers: NumberRow.numbers(of: names, in: rows))
    // A renamed entity keeps its number; new entities get the next numbers.
    let kept = transition.entities.map { step in step.map { names[$0.sourceIndex] } }
    let destination = try SchemaMap(
      transition.destination, dialect: dialect,
      numbers: NumberRow.numbers(of: kept, in: Self.withNumbers(of: source, rows)))
    let present = try StoreTables.columns(in: session)
    try StoreTables.require(
      source.requiredColumns(of: match.members), in: present, path: session.connection.place)
    migration = try SchemaMigration(
      transition, from: source, to: destination,
      existing: Self.existing(source, in: present))
    objects = try Self.objects(of: source, in: present, in: session)
    try migration.requireValues(in: session)
  }

  /// Returns the rows, including rows for source entities that the store does not contain.
  private static func withNumbers(of source: SchemaMap, _ rows: [NumberRow]) -> [NumberRow] {
    let known = Set(rows.compactMap(\.name))
    return rows
      + source.model.entities.filter { !known.contains($0.name) }
      .map { NumberRow(of: $0, source.numbers, last: 0) }
  }

  /// Returns the columns of the layout that exist in the schema, by table, with the names of the
  /// layout.
  private static func existing(
    _ schema: SchemaMap, in present: [String: Set<String>]
  ) -> [String: [String]] {
    schema.layoutColumns.reduce(into: [:]) { found, entry in
      guard let columns = present[PostgresDialect.name(entry.key)] else { return }
      found[entry.key] = entry.value.filter { columns.contains(PostgresDialect.name($0)) }
    }
  }

  private static func objects(
    of schema: SchemaMap, in present: [String: Set<String>], in session: PostgresSession
  ) throws(StoreError) -> [SchemaObject] {
    let dialect = session.dialect
    let indexes = try StoreTables.indexes(in: session)
    let tables = schema.layoutColumns.keys.filter { present[PostgresDialect.name($0)] != nil }
    return tables.sorted().map { SchemaObject(kind: "table", name: $0, table: $0, sql: nil) }
      + schema.indexStatements().compactMap { statement in
        guard case .createIndex(let index) = statement,
          indexes.contains(PostgresDialect.name(index.name))
        else { return nil }
        return SchemaObject(
          kind: "index", name: index.name, table: index.table,
          sql: SQLRenderer.render(statement, for: dialect).text)
      }
  }
}
