import Foundation
import OpenSQLCore
import OpenStoreContract

/// Replaces a store with a store that was created object by object in another schema of the same
/// database.
struct StoreRebuilding {
  /// The suffix of the name of the schema in which a new store is created.
  private static let suffix = "_migrating"

  /// Returns the URL for the new store, whose schema has the name of the store's schema and a
  /// suffix.
  static func place(beside url: URL) -> URL? {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: false),
      let settings = try? PostgresSettings(url)  // Opening the URL tells what is wrong.
    else { return nil }
    var items = parts.queryItems?.filter { $0.name != "schema" } ?? []
    let start = PostgresDialect.shortened(settings.schema, to: 40)
    let hash = PostgresDialect.hash(settings.schema)
    items.append(URLQueryItem(name: "schema", value: start + "_" + hash + suffix))
    parts.queryItems = items
    return parts.url
  }

  /// Creates the new store, and then replaces the old tables with the new tables in one
  /// transaction.
  static func run(
    _ configuration: StoreConfiguration, at place: URL, _ make: () throws -> Void
  ) throws {
    let present = try PostgresPlace(configuration)
    let old = present.dialect
    let new = PostgresDialect(schema: try PostgresSettings(place).schema)
    let lock = try MigrationLock(present)
    let connection = lock.session.connection
    try lock.take()
    defer { if !connection.isReusable { connection.rollBack() } }
    // A killed process may have left tables.
    let other = try present.connect().connection
    try other.run(new.destruction)
    do { try make() } catch {
      // The error of the creation is more useful; the next migration drops the schema.
      _ = try? other.run(new.destruction)
      throw error
    }
    try lock.excludeReads()
    let generation = try connection.run(old.command(OwnStatement.readFence)).integer(0, 0)
    let oldTables = try StoreTables.names(in: lock.session)
    // The schema of the new store contains nothing else.
    let newTables = try StoreTables.tables(in: PostgresSession(connection, new))
    try connection.run(
      oldTables.map { old.drop([$0]) } + newTables.map { new.move($0, to: old) }
        + [
          old.command(OwnStatement.set("Z_GENERATION", .integer(generation &+ 1))),
          new.destruction, .commit,
        ])
  }
}
