import COpenSQLite
package import Foundation
package import OpenPredicates
package import OpenStoreContract

/// Reads a store's file below its model, for tools; the file and its sidecar files are not changed.
package enum StoreInspection {
  /// The rows of one SQL query.
  ///
  /// - Parameters:
  ///   - sql: A statement without values from elsewhere; anything but reading fails.
  ///   - url: The store's file.
  package static func rows(
    of sql: String, inStoreAt url: URL
  ) throws(StoreError) -> [[Value]] {
    try StoreReading.withConnection(to: url) { (connection) throws(StoreError) -> [[Value]] in
      try connection.run("PRAGMA query_only = 1")
      var rows: [[Value]] = []
      try connection.forEachRow(sql) { statement in
        rows.append((0..<sqlite3_column_count(statement.pointer)).map { value($0, of: statement) })
      }
      return rows
    }
  }

  private static func value(_ column: Int32, of statement: Statement) -> Value {
    switch sqlite3_column_type(statement.pointer, column) {
    case SQLITE_INTEGER: .int(sqlite3_column_int64(statement.pointer, column))
    case SQLITE_FLOAT: .double(sqlite3_column_double(statement.pointer, column))
    case SQLITE_TEXT: .string(statement.text(Int(column)) ?? "")
    case SQLITE_BLOB: .data(statement.data(Int(column)) ?? Data())
    default: .null
    }
  }

  /// Whether the file's header says that it is written through a log.
  package static func isLogged(_ url: URL) -> Bool {
    // A file that cannot be read is reported by whatever else is asked of it.
    guard StoreFile.isRegular(url.path) else { return false }
    let head = (try? FileHandle(forReadingFrom: url).read(upToCount: 20)) ?? Data()
    return head.count == 20 && head[18] == 2
  }

  /// Copies a store with all that is committed, and its external files, to a new place.
  ///
  /// Waits up to ten seconds for a program that changes the store's files.
  ///
  /// - Throws: `StoreError` when there is something at the new place, it cannot be written, or the file of one of
  ///   the store's values is missing.
  package static func copy(storeAt url: URL, to destination: URL) throws(StoreError) {
    let place = StoreFiles(resolving: destination)
    guard !place.exists else {
      throw StoreError(
        .permission, "There is a file at the place of the copy; choose another.",
        path: destination.path)
    }
    let copy = try StoreDuplicate(of: StoreFiles(resolving: url), for: place, timeout: 10)
    do throws(StoreError) {
      try FileSync.rename(copy.path, to: place.main.path)
    } catch {
      copy.discard()
      throw error
    }
    copy.settle()
  }

  /// Reads a whole database with SQLite's own check, and changes nothing.
  ///
  /// - Throws: `StoreError` with code `.corrupt` that says what SQLite found first.
  package static func checkStructure(ofStoreAt url: URL) throws(StoreError) {
    let found = try StoreReading.withConnection(to: url) { (connection) throws(StoreError) in
      var found: String?
      try connection.forEachRow("PRAGMA integrity_check(1)") { statement in
        let text = statement.text(0) ?? ""
        if text != "ok" { found = found ?? text }
      }
      return found
    }
    guard let found else { return }
    let first = found.split(separator: "\n").first.map(String.init) ?? found
    throw StoreError(
      .corrupt, "The store is damaged (\(first)). Restore a backup.", path: url.path)
  }
}
