import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// What a store has before it is migrated.
struct MigrationSource {
  let metadata: StoreMetadata
  let rows: [NumberRow]
  let migration: SchemaMigration
  /// The tables and indexes of the layout that the schema has.
  let objects: [SchemaObject]

  /// Reads a store, and compares it with the source model.
  ///
  /// - Throws: `StoreError` with code `.incompatibleSchema` for a store of another model.
  init(
    _ transition: ModelTransition, _ configuration: StoreConfiguration,
    on connection: PostgresConnection, _ dialect: PostgresDialect
  ) throws(StoreError) {
    metadata = try MetadataRow.read(on: connection, dialect).metadata
    let match = ModelMatch(
      model: transition.source, configurationName: configuration.configurationName,
      path: connection.place)
    if !configuration.ignoresModelVersion { try match.requireVersions(in: metadata) }
    rows = try NumberRow.read(on: connection, dialect)
    let names = transition.source.entities.map(\.name)
    let source = try SchemaMap(
      transition.source, dialect: dialect,
      numbers: NumberRow.numbers(of: names, in: rows))
    // An entity keeps its number under a new name; new entities get the next ones.
    let kept = transition.entities.map { step in step.map { names[$0.sourceIndex] } }
    let destination = try SchemaMap(
      transition.destination, dialect: dialect,
      numbers: NumberRow.numbers(of: kept, in: Self.withNumbers(of: source, rows)))
    let present = try StoreTables.columns(on: connection, dialect)
    try StoreTables.require(
      source.requiredColumns(of: match.members), in: present, path: connection.place)
    migration = try SchemaMigration(
      transition, from: source, to: destination,
      existing: Self.existing(source, in: present))
    objects = try Self.objects(of: source, in: present, on: connection, dialect)
  }

  /// The rows with those of source entities that the store does not have.
  private static func withNumbers(of source: SchemaMap, _ rows: [NumberRow]) -> [NumberRow] {
    let known = Set(rows.compactMap(\.name))
    return rows
      + source.model.entities.filter { !known.contains($0.name) }
      .map { NumberRow(of: $0, source.numbers, last: 0) }
  }

  /// The columns of the layout that the schema has, by table, under the layout's names.
  private static func existing(
    _ schema: SchemaMap, in present: [String: Set<String>]
  ) -> [String: [String]] {
    schema.layoutColumns.compactMapValues { $0 }.filter { table, _ in
      present[PostgresDialect.name(table)] != nil
    }.reduce(into: [:]) { found, entry in
      let columns = present[PostgresDialect.name(entry.key)] ?? []
      found[entry.key] = entry.value.filter { columns.contains(PostgresDialect.name($0)) }
    }
  }

  private static func objects(
    of schema: SchemaMap, in present: [String: Set<String>], on connection: PostgresConnection,
    _ dialect: PostgresDialect
  ) throws(StoreError) -> [SchemaObject] {
    let result = try connection.run(
      "SELECT indexname::text FROM pg_indexes WHERE schemaname = $1", [.text(dialect.schema)])
    let indexes = Set((0..<result.rowCount).compactMap { result.text($0, 0) })
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

  /// Whether the store has the versions of the destination already.
  static func isDone(
    _ transition: ModelTransition, _ configuration: StoreConfiguration, _ metadata: StoreMetadata
  ) -> Bool {
    let match = ModelMatch(
      model: transition.destination, configurationName: configuration.configurationName, path: nil)
    return NSManagedObjectModel.versionHashes(in: metadata) == match.hashes()
  }
}
