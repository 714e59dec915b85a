import Foundation
import OpenSQLCore
import OpenStoreContract

/// Replaces a store by one that was made object by object in a schema beside it.
struct StoreRebuilding {
  /// What the name of a schema ends with in which a new store is made.
  private static let suffix = "_migrating"

  /// The URL of the schema beside that of a store.
  static func place(beside url: URL) -> URL? {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: false),
      let settings = try? PostgresSettings(url)  // Opening the URL tells what is wrong.
    else { return nil }
    var items = parts.queryItems?.filter { $0.name != "schema" } ?? []
    let hash = PostgresDialect.hash(settings.schema)
    items.append(
      URLQueryItem(name: "schema", value: settings.schema.prefix(40) + "_" + hash + suffix))
    parts.queryItems = items
    return parts.url
  }

  /// Has a store made, and moves its tables to the place of the old ones; all in one transaction but the making.
  static func run(
    _ configuration: StoreConfiguration, at place: URL, _ make: () throws -> Void
  ) throws {
    let settings = try PostgresSettings(configuration.url)
    let (old, new) = (
      PostgresDialect(schema: settings.schema),
      PostgresDialect(schema: try PostgresSettings(place).schema)
    )
    let lock = try MigrationLock(configuration, settings)
    try lock.take()
    defer { if !lock.connection.isReusable { lock.connection.rollBack() } }
    // A killed process may have left some.
    let drop = PostgresCommand("DROP SCHEMA IF EXISTS \(new.schemaName) CASCADE", isKept: false)
    let other = try PostgresConnection(settings, configuration)
    try other.run([drop])
    do { try make() } catch {
      // The error of the making tells more; the next migration drops what stays.
      _ = try? other.run([drop])
      throw error
    }
    try lock.excludeReads()
    let generation = try lock.connection.run(
      "SELECT z_generation FROM \(old.table("Z_STORE"))"
    ).integer(0, 0)
    let oldTables = try StoreTables.names(on: lock.connection, old)
    let newTables = try StoreTables.names(on: lock.connection, new)
    let texts =
      oldTables.map { "DROP TABLE \(old.table($0))" }
      + newTables.map { "ALTER TABLE \(new.table($0)) SET SCHEMA \(old.schemaName)" }
      + [
        "UPDATE \(old.table("Z_STORE")) SET z_generation = \(generation + 1)", drop.text, "COMMIT",
      ]
    try lock.connection.run(texts.map { PostgresCommand($0, isKept: false) })
  }
}
