import COpenSQLite
package import Foundation
package import OpenPredicates
package import OpenStoreContract

/// Reads a store's file below its model, for tools; the file and what lies beside it stay as they are.
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
  /// - Throws: `StoreError` when there is something at the new place, or it cannot be written.
  package static func copy(storeAt url: URL, to destination: URL) throws(StoreError) {
    guard !FileManager.default.fileExists(atPath: destination.path) else {
      throw StoreError(
        .permission, "There is a file at the place of the copy; choose another.",
        path: destination.path)
    }
    try StoreReading.withConnection(to: url) { (source) throws(StoreError) in
      let target = try Connection(
        path: destination.path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
        configuration: StoreConfiguration(url: destination))
      defer { target.close() }
      guard let backup = sqlite3_backup_init(target.database, "main", source.database, "main")
      else { throw target.error(sqlite3_errcode(target.database)) }
      let code = sqlite3_backup_step(backup, -1)
      sqlite3_backup_finish(backup)
      guard code == SQLITE_DONE else { throw target.error(code) }
    }
    try copyExternalFiles(of: url, to: destination)
  }

  private static func copyExternalFiles(
    of url: URL, to destination: URL
  ) throws(StoreError) {
    func folder(_ store: URL) -> URL {
      store.deletingLastPathComponent()
        .appendingPathComponent(".\(store.deletingPathExtension().lastPathComponent)_SUPPORT")
    }
    guard FileManager.default.fileExists(atPath: folder(url).path) else { return }
    do {
      try FileManager.default.copyItem(at: folder(url), to: folder(destination))
    } catch {
      throw StoreError(
        .inputOutput, "The store's external files cannot be copied.", path: folder(url).path,
        underlying: error)
    }
  }
}
