import COpenSQLite
import OpenSQLCore
import OpenStoreContract

extension Statement: SQLRow {
  func real(_ column: Int) -> Double { sqlite3_column_double(pointer, Int32(column)) }
}

extension Connection: SQLSession {
  typealias ResultRow = Statement

  var dialect: SQLiteDialect { SQLiteDialect() }

  func forEachRow(
    of text: String, binding values: [SlotContent],
    _ body: (Statement) throws(StoreError) -> Void
  ) throws(StoreError) {
    try forEachRow(text, values, body)
  }
}

extension Connection {
  /// Returns the error of a read with the path, the statement and SQLite's code. Facts that the
  /// error already contains are kept.
  func located(_ error: StoreError, in statement: Statement) -> StoreError {
    var error = error
    error.path = error.path ?? path
    error.statement = error.statement ?? statement.sql
    return error.withNativeCode
  }
}

extension StoreError {
  /// Returns the error with SQLite's code for damage if it has no code.
  var withNativeCode: StoreError {
    guard code == .corrupt, nativeCode == 0 else { return self }
    var error = self
    error.nativeCode = SQLiteFailure.damaged
    return error
  }
}
