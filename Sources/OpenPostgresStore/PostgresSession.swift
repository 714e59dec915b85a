import Foundation
import OpenSQLCore
import OpenStoreContract

/// A connection and the schema of a store, for statements on the store's own tables.
///
/// Confined to the thread that uses the connection.
struct PostgresSession: SQLSession {
  typealias ResultRow = PostgresRow

  let connection: PostgresConnection
  let dialect: PostgresDialect
  var path: String? { connection.place }

  init(_ connection: PostgresConnection, _ dialect: PostgresDialect) {
    self.connection = connection
    self.dialect = dialect
  }

  func forEachRow(
    of text: String, binding values: [SlotContent],
    _ body: (PostgresRow) throws(StoreError) -> Void
  ) throws(StoreError) {
    let values = values.map { PostgresValue($0, for: .untyped) }
    let result = try connection.run(PostgresCommand(text, values))
    for row in 0..<result.rowCount { try body(PostgresRow(result: result, row: row)) }
  }

  /// Returns whether the server is a standby server.
  func isStandby() throws(StoreError) -> Bool {
    let command = PostgresCommand(dialect.text(of: OwnStatement.readStandby))
    return try connection.run(command).integer(0, 0) == 1
  }
}

/// A row of a result.
struct PostgresRow: SQLRow {
  let result: PostgresResult
  let row: Int

  func integer(_ column: Int) -> Int64 { result.integer(row, column) }

  func real(_ column: Int) -> Double { result.real(row, column) }

  func text(_ column: Int) -> String? {
    result.isNull(row, column) ? nil : result.shown(row, column)
  }

  func data(_ column: Int) -> Data? { result.data(row, column) }
}
