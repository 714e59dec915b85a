import COpenSQLite
import Foundation

/// A program without the library that holds the write lock of a database.
final class ForeignWriter {
  private var database: OpaquePointer?

  private struct Failure: Error {
    var code: Int32
  }

  deinit { sqlite3_close_v2(database) }

  /// Acquires or releases the lock of the named file.
  func run(_ command: String, _ words: [String]) throws -> String {
    if database == nil, let path = words.first {
      let code = sqlite3_open(path, &database)
      guard code == SQLITE_OK else { throw Failure(code: code) }
    }
    let sql = command == "lock" ? "BEGIN IMMEDIATE" : "COMMIT"
    let code = sqlite3_exec(database, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw Failure(code: code) }
    return command + "ed"
  }
}
