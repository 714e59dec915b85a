import COpenSQLite
package import Foundation
package import OpenPredicates
package import OpenStoreContract

/// Reads a store's file without a model, for tools. The methods never change the file or its
/// sidecar files.
package enum StoreInspection {
  /// Returns the rows of a SQL query.
  ///
  /// - Parameters:
  ///   - sql: A statement that only reads; a statement that writes fails. Do not insert untrusted
  ///     values into its text.
  ///   - url: The URL of the store's file.
  /// - Returns: The rows, each with the values of its columns in order.
  /// - Throws: `StoreError` with one of these codes: `.missingFile` if the file does not exist;
  ///   `.foreignFile` if the file is not a store; `.readOnly` if the statement writes; another code
  ///   if the file cannot be read or the statement fails.
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

  /// Returns whether the file's header states that the database uses a write-ahead log. The result
  /// is false if the file cannot be read.
  ///
  /// - Parameter url: The URL of the store's file.
  package static func isLogged(_ url: URL) -> Bool {
    // A file that cannot be read is reported by whatever else is asked of it.
    guard StoreFile.isRegular(url.path) else { return false }
    let head = try? OpenFiles.ifClosed(url.path) { () throws(StoreError) -> Data in
      (try? FileHandle(forReadingFrom: url).read(upToCount: 20)) ?? Data()
    }
    if let head { return head.count == 20 && head[18] == 2 }
    // Only SQLite may open the file of an open store.
    let mode = try? StoreReading.withConnection(to: url) { (connection) throws(StoreError) in
      var mode: String?
      try connection.forEachRow("PRAGMA journal_mode") { mode = $0.text(0) }
      return mode
    }
    return mode == "wal"
  }

  /// Copies a store, including all committed changes and its external files, to a new location.
  ///
  /// The method waits up to ten seconds for a program that is changing the store's files.
  ///
  /// - Parameters:
  ///   - url: The URL of the store's file.
  ///   - destination: The URL of the copy.
  /// - Throws: `StoreError` if the store cannot be copied, for example with one of the following
  ///   codes:
  ///   - `.permission`: A file already exists at the destination.
  ///   - `.missingFolder`: The folder of the destination does not exist.
  ///   - `.missingFile`: The store, or the file of an external value, is missing.
  ///   - `.locked`: A program is still changing the store's files after ten seconds.
  package static func copy(storeAt url: URL, to destination: URL) throws(StoreError) {
    let place = StoreFiles(resolving: destination)
    guard !place.exists else {
      throw StoreError(
        .permission, "A file already exists at the destination. Choose another destination.",
        path: destination.path)
    }
    guard FileManager.default.fileExists(atPath: place.folder.path) else {
      throw StoreError(
        .missingFolder, "The folder for the store does not exist. Create it first.",
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

  /// Checks the structure of a complete database with SQLite's integrity check. The database is not
  /// changed.
  ///
  /// - Parameter url: The URL of the store's file.
  /// - Throws: `StoreError` with code `.corrupt` if the database is damaged; the message contains
  ///   the first problem that SQLite found. Throws `StoreError` with code `.missingFile` if the
  ///   file does not exist, with code `.foreignFile` if the file is not a store, or with another
  ///   code if the file cannot be read.
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
      .corrupt, "The store is damaged (\(first)). Restore a backup.", path: url.path,
      nativeCode: SQLiteFailure.damaged)
  }
}
