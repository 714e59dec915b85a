import COpenSQLite
import Foundation
import OpenStoreContract

/// A complete copy of a store under a temporary name, with its external values in the folder of the
/// destination.
///
/// During copying, the source cannot be destroyed, replaced or opened. A source that is already
/// open keeps the files that the copied rows refer to, so every row of the copy has its file. Until
/// the copy is renamed, none of its files has a name that a store uses.
struct StoreDuplicate {
  let source: StoreFiles
  let destination: StoreFiles
  let timeout: TimeInterval
  /// The path of the copied database.
  let path: String
  private let values: ExternalAdoption
  /// The external files that the copied rows refer to.
  var names: Set<String> { values.names }

  /// - Throws: `StoreError` with code `.missingFile` if the source or a file of one of its values
  ///   is missing, `.locked` if the source is being changed. After an error, no files remain.
  init(
    of source: StoreFiles, for destination: StoreFiles, timeout: TimeInterval
  ) throws(StoreError) {
    self.source = source
    self.destination = destination
    self.timeout = timeout
    path = destination.temporaryPath()
    values = ExternalAdoption(from: source, to: destination)
    do throws(StoreError) {
      try copy()
    } catch {
      discard()
      throw error
    }
  }

  /// Removes the mark after the copy has received its final name.
  func settle() { values.settle() }

  /// Deletes the copy, unless it has already received its final name.
  func discard() {
    // The new name of a complete copy may be missing only on the disk.
    if FileManager.default.fileExists(atPath: path) { values.discard() } else { values.settle() }
    for suffix in [""] + StoreFiles.suffixes {
      try? StoreFiles.remove(path + suffix)  // most are missing
    }
  }

  private func copy() throws(StoreError) {
    try StoreFile.check(source.main.path, isReadOnly: true)
    let lock = try lockSource()
    defer { lock?.release() }
    let isInUse = lock.map { !$0.isAlone } ?? false
    try StoreReading.withLockedConnection(to: source.main, isInUse: isInUse) {
      (connection) throws(StoreError) in
      // From its first read on, the state's files stay.
      try connection.run("BEGIN")
      _ = try connection.integer("SELECT count(*) FROM sqlite_master")
      let copy = try copyDatabase(of: connection)
      defer { copy.close() }
      try values.adopt(namedBy: copy)
    }
    try FileSync.sync(path)
  }

  /// Prevents other processes from opening or changing the source. The result is nil if the
  /// source's folder is read-only.
  private func lockSource() throws(StoreError) -> StoreLock? {
    guard FileManager.default.isWritableFile(atPath: source.folder.path) else {
      try StoreLock.waitForOperations(on: source.main.path, timeout: timeout)
      return nil
    }
    return try StoreLock(of: source.main.path, for: .copy, besides: .users, timeout: timeout)
  }

  /// Copies the database with the content of its write-ahead log.
  private func copyDatabase(of connection: Connection) throws(StoreError) -> Connection {
    var configuration = StoreConfiguration(url: URL(fileURLWithPath: path))
    configuration.timeout = timeout
    let copy = try Connection(
      path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, configuration: configuration)
    do throws(StoreError) {
      guard let backup = sqlite3_backup_init(copy.database, "main", connection.database, "main")
      else { throw copy.error(SQLITE_OK) }
      let code = sqlite3_backup_step(backup, -1)
      sqlite3_backup_finish(backup)
      guard code == SQLITE_DONE else {
        throw SQLiteFailure.error(code, "The copy failed", path: source.main.path)
      }
      return copy
    } catch {
      copy.close()
      throw error
    }
  }
}
