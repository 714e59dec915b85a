import Foundation
import OpenSQLCore
import OpenStoreContract

/// Holds a store alone for a migration: others read it, and wait with their saves.
///
/// Confined to one thread.
final class MigrationLock {
  let connection: PostgresConnection
  private let dialect: PostgresDialect
  private let timeout: Int

  init(_ configuration: StoreConfiguration, _ settings: PostgresSettings) throws(StoreError) {
    connection = try PostgresConnection(settings, configuration)
    dialect = PostgresDialect(schema: settings.schema)
    timeout = configuration.lockTimeout
  }

  /// Begins the transaction, after other migrations and saves have ended.
  func take() throws(StoreError) {
    try connection.run([
      PostgresCommand("BEGIN", isKept: false),
      PostgresCommand("SET LOCAL lock_timeout = \(timeout)", isKept: false),
      PostgresCommand("SET LOCAL idle_in_transaction_session_timeout = 0", isKept: false),
      Self.exclusion(of: dialect),
      PostgresCommand(
        "LOCK TABLE \(dialect.table("Z_STORE")) IN EXCLUSIVE MODE", isKept: false),
    ])
  }

  /// The statement after which no other process makes or migrates the store, until the transaction ends.
  static func exclusion(of dialect: PostgresDialect) -> PostgresCommand {
    PostgresCommand(
      "SELECT pg_advisory_xact_lock(hashtextextended($1, 7))", [.text(dialect.schema)],
      isKept: false)
  }
}
