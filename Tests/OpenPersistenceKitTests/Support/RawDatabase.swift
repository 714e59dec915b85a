import COpenSQLite
import Foundation

/// A store's file, opened with SQLite alone: to damage it, or to lock it.
final class RawDatabase {
  private var database: OpaquePointer?

  init(_ url: URL) throws {
    guard sqlite3_open(url.path, &database) == SQLITE_OK else { throw RawFailure("open") }
  }

  deinit { sqlite3_close(database) }

  func run(_ sql: String) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
      throw RawFailure("\(String(cString: sqlite3_errmsg(database))): \(sql)")
    }
  }
}

struct RawFailure: Error {
  var message: String

  init(_ message: String) { self.message = message }
}
