import OpenSQLCore
import OpenStoreContract

/// The statements that only PostgreSQL has. Apart from the folder `Client`, no other part of the
/// store contains the text of statements.
extension PostgresDialect {
  /// Returns the text of a statement of the shared layout. Entity tables have a fill factor that
  /// leaves space for updates, and indexes have no conditions.
  func text(of statement: SQLStatement) -> String {
    switch statement {
    case .createTable(let table) where table.primaryKey.isEmpty && table.isPadded:
      return SQLRenderer.render(statement, for: self).text + " WITH (fillfactor = 85)"
    case .createIndex(var index):
      index.condition = nil
      return SQLRenderer.render(.createIndex(index), for: self).text
    default: return SQLRenderer.render(statement, for: self).text
    }
  }

  /// Returns a statement that runs once, with its values.
  func command(_ statement: SQLStatement, _ values: [PostgresValue] = []) -> PostgresCommand {
    PostgresCommand(text(of: statement), values, isKept: false)
  }

  /// Returns the statement that writes a row of the entity numbers.
  func command(writing row: NumberRow) -> PostgresCommand {
    command(OwnStatement.writeNumber, row.values.map { PostgresValue($0, for: .untyped) })
  }

  private static func once(_ text: String) -> PostgresCommand {
    PostgresCommand(text, isKept: false)
  }

  // MARK: Transactions

  /// A lock on a table.
  enum TableLock: String {
    case accessShare = "ACCESS SHARE"
    case rowShare = "ROW SHARE"
    case exclusive = "EXCLUSIVE"
    case accessExclusive = "ACCESS EXCLUSIVE"
  }

  /// Returns the statement that locks tables until the transaction ends.
  func lock(_ lock: TableLock, of tables: [String] = ["Z_STORE"]) -> PostgresCommand {
    let list = tables.map(table).joined(separator: ", ")
    return PostgresCommand(
      "LOCK TABLE \(list) IN \(lock.rawValue) MODE", isKept: tables == ["Z_STORE"])
  }

  /// Returns the statement that limits the time for which the transaction waits for locks, in
  /// milliseconds.
  static func lockTimeout(_ limit: Int) -> PostgresCommand {
    PostgresCommand("SET LOCAL lock_timeout = \(limit)")
  }

  /// Returns the statement that limits the time between the statements of the transaction, in
  /// milliseconds; 0 for no limit.
  static func idleTimeout(_ limit: Int) -> PostgresCommand {
    PostgresCommand("SET LOCAL idle_in_transaction_session_timeout = \(limit)")
  }

  /// Returns the statements that begin a transaction that writes.
  ///
  /// - Parameter lockTimeout: The maximum time that the transaction waits for locks, in
  ///   milliseconds.
  func beginning(lockTimeout: Int) -> [PostgresCommand] {
    // A migration acquires a lock that conflicts with this lock.
    [.begin, Self.lockTimeout(lockTimeout), Self.idleTimeout(60_000), lock(.rowShare)]
  }

  static let savepoint = once("SAVEPOINT step")
  static let release = once("RELEASE SAVEPOINT step")
  static let rollBackToSavepoint = once("ROLLBACK TO SAVEPOINT step")

  // MARK: Schemas

  /// The statement that creates the schema, and fails if it exists.
  var creation: PostgresCommand { Self.once("CREATE SCHEMA \(schemaName)") }

  /// The statement that creates the schema unless it exists.
  var creationUnlessPresent: PostgresCommand {
    Self.once("CREATE SCHEMA IF NOT EXISTS \(schemaName)")
  }

  /// The statement that drops the schema, if it exists, with everything in it.
  var destruction: PostgresCommand { Self.once("DROP SCHEMA IF EXISTS \(schemaName) CASCADE") }

  /// The statement that drops the schema, and fails if the schema contains anything.
  var removal: PostgresCommand { Self.once("DROP SCHEMA \(schemaName)") }

  /// Returns the statement that moves a table to another schema.
  func move(_ name: String, to other: PostgresDialect) -> PostgresCommand {
    Self.once("ALTER TABLE \(table(name)) SET SCHEMA \(other.schemaName)")
  }

  /// Returns the statement that drops tables. The statement fails if a view or a table of another
  /// program depends on a table.
  func drop(_ tables: [String]) -> PostgresCommand {
    Self.once("DROP TABLE " + tables.map(table).joined(separator: ", "))
  }

  // MARK: Other statements

  /// Returns the statement that receives the notifications of a channel.
  static func listen(to channel: String) -> PostgresCommand {
    once("LISTEN \"\(channel)\"")
  }

  /// Returns the statement that returns the server's query plan of a statement.
  static func explain(_ command: PostgresCommand) -> PostgresCommand {
    PostgresCommand("EXPLAIN (FORMAT JSON) " + command.text, command.values, isKept: false)
  }
}
