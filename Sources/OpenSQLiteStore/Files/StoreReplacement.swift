import COpenSQLite
package import Foundation
package import OpenStoreContract

/// Puts a copy of one store in the place of another, or of none.
///
/// The copy is made under another name and renamed when it is complete and on the disk, so that at every
/// moment the place holds one whole store: the old one or the copy.
struct StoreReplacement {
  let source: StoreFiles
  let destination: StoreFiles
  let isForced: Bool
  let timeout: TimeInterval

  func run() throws(StoreError) {
    let lock =
      isForced
      ? nil
      : try StoreLock(
        of: destination.main.path, for: .replace, besides: .nobody, timeout: timeout)
    defer { lock?.release() }
    let copy = destination.temporaryPath()
    defer { try? StoreFiles(URL(fileURLWithPath: copy)).delete() }  // gone after the rename
    try copyDatabase(to: copy)
    let values = try copyExternalValues()
    try takePlace(of: copy)
    try removeExternalValues(but: values)
  }

  /// Copies the database with what is in its log.
  private func copyDatabase(to path: String) throws(StoreError) {
    try StoreReading.withConnection(to: source.main) { (connection) throws(StoreError) in
      var configuration = StoreConfiguration(url: URL(fileURLWithPath: path))
      configuration.timeout = timeout
      let copy = try Connection(
        path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
        configuration: configuration)
      defer { copy.close() }
      guard let backup = sqlite3_backup_init(copy.database, "main", connection.database, "main")
      else { throw copy.error(SQLITE_OK) }
      let code = sqlite3_backup_step(backup, -1)
      sqlite3_backup_finish(backup)
      guard code == SQLITE_DONE else {
        throw SQLiteFailure.error(code, "The copy failed", path: source.main.path)
      }
    }
    try FileSync.sync(path)
  }

  /// Copies the values with files of their own beside those of the destination; their names never clash.
  ///
  /// - Returns: Their names.
  private func copyExternalValues() throws(StoreError) -> Set<String> {
    let names = try ExternalFiles(source).names()
    let files = ExternalFiles(destination)
    for name in names.sorted() { try files.adopt(name, from: source) }
    return names
  }

  /// Renames the copy while nobody else uses the destination.
  private func takePlace(of copy: String) throws(StoreError) {
    let access = try exclusiveDestination()
    defer { access?.connection.close() }
    try destination.deleteCompanions()
    if isForced { try destination.deleteLock() }
    try FileSync.rename(copy, to: destination.main.path)
  }

  /// Nil when there is nothing to lock: no file, none that is a database, or use of force.
  private func exclusiveDestination() throws(StoreError) -> ExclusiveAccess? {
    guard destination.exists, !isForced else { return nil }
    do throws(StoreError) {
      return try ExclusiveAccess(to: destination.main.path, timeout: timeout)
    } catch {
      if error.code == .corrupt || error.code == .foreignFile { return nil }
      throw error
    }
  }

  private func removeExternalValues(but names: Set<String>) throws(StoreError) {
    let files = ExternalFiles(destination)
    for name in try files.names() where !names.contains(name) { files.remove(name) }
  }
}

extension SQLiteStore {
  /// Copies a store over another one, which may be missing: rows in the log and external values too.
  ///
  /// The copy has the identifier of its source, which is not changed. Copying a store to its own place does
  /// nothing.
  ///
  /// - Parameters:
  ///   - destination: The place of the copy, and how long to wait for those who use it.
  ///   - source: The store's file.
  ///   - isForced: Whether the destination is replaced even while it is in use.
  /// - Throws: `StoreError` with code `.missingFile` without a source, `.locked` when any connection has
  ///   the destination open.
  /// > Concurrency: Any thread.
  package static func replace(
    _ destination: StoreConfiguration, withStoreAt source: URL, isForced: Bool
  ) throws(StoreError) {
    guard let place = destination.url,
      place.resolvingSymlinksInPath().path != source.resolvingSymlinksInPath().path
    else { return }
    try StoreFile.requireRegularFiles(at: place.path)
    try StoreReplacement(
      source: StoreFiles(source), destination: StoreFiles(place), isForced: isForced,
      timeout: destination.timeout
    ).run()
  }

  /// Writes a store's metadata at once, without opening it for a model.
  ///
  /// What belongs to the file rather than to the application stays unless it is given too: the versions of
  /// the entities, the store's type and identifier.
  ///
  /// - Throws: `StoreError` when the file is missing, no store, or cannot be written.
  /// > Concurrency: Any thread.
  package static func setMetadata(
    _ metadata: StoreMetadata, _ configuration: StoreConfiguration
  ) throws(StoreError) {
    let path = configuration.url?.path
    guard let path, FileManager.default.fileExists(atPath: path) else {
      throw StoreError(.missingFile, "The store's file does not exist.", path: path)
    }
    try StoreFile.checkPlace(path, isReadOnly: false)
    let lock = try StoreLock(
      of: path, for: .metadata, besides: .users, timeout: configuration.timeout)
    defer { lock.release() }
    try StoreFile.check(path, isReadOnly: false)
    let connection = try Connection(
      path: path, flags: SQLITE_OPEN_READWRITE, configuration: configuration)
    defer { connection.close() }
    try FileTables.requireStore(try FileTables.read(on: connection), path: path)
    try connection.transaction { () throws(StoreError) in
      (try MetadataTable.write(metadata, on: connection), true)
    }
  }
}
