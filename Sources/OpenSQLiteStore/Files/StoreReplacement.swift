import COpenSQLite
package import Foundation
package import OpenStoreContract

/// Replaces a store with a copy of another store; the destination need not exist.
///
/// The copy has a temporary name and is renamed after it is complete and synchronized to disk, so at every moment
/// there is one complete store: the old one or the copy.
struct StoreReplacement {
  let source: StoreFiles
  let destination: StoreFiles
  let isForced: Bool
  let timeout: TimeInterval
  /// Whether the caller has the destination's lock.
  var isLocked = false

  func run() throws(StoreError) {
    let lock = try lockDestination()
    defer { lock?.release() }
    let old = destination.externalNames()
    let copy = try StoreDuplicate(of: source, for: destination, timeout: timeout)
    do throws(StoreError) {
      try takePlace(of: copy.path)
    } catch {
      copy.discard()
      throw error
    }
    try removeExternalValues(old, but: copy.names)
    copy.settle()
  }

  private func lockDestination() throws(StoreError) -> StoreLock? {
    if isForced || isLocked { return nil }
    return try StoreLock(
      of: destination.main.path, for: .replace, besides: .nobody, timeout: timeout)
  }

  /// Renames the copy while no other process uses the destination.
  private func takePlace(of copy: String) throws(StoreError) {
    let access = try exclusiveDestination()
    defer { access?.connection.close() }
    try destination.deleteSidecars()
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

  /// Deletes the external values of the store that was in the place.
  private func removeExternalValues(
    _ old: StoreFiles.ExternalNames, but new: Set<String>
  ) throws(StoreError) {
    let files = ExternalFiles(destination)
    let names =
      switch old {
      case .all: try files.names()
      case .some(let names): names
      }
    for name in names.subtracting(new) { files.remove(name) }
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
      StorePath.resolved(place.path) != StorePath.resolved(source.path)
    else { return }
    try StoreFile.requireRegularFiles(at: place.path)
    try StoreReplacement(
      source: StoreFiles(resolving: source), destination: StoreFiles(resolving: place),
      isForced: isForced, timeout: destination.timeout
    ).run()
  }

  /// Writes a store's metadata immediately, without opening the store.
  ///
  /// What belongs to the file rather than to the application stays unless it is given too: the versions of
  /// the entities, the store's type and identifier.
  ///
  /// - Throws: `StoreError` when the file is missing, no store, or cannot be written.
  /// > Concurrency: Any thread.
  package static func setMetadata(
    _ metadata: StoreMetadata, _ configuration: StoreConfiguration
  ) throws(StoreError) {
    let path = configuration.url.map { StorePath.resolved($0.path) }
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

  /// Checkpoints a store and deletes its log: the file can be moved and copied alone.
  ///
  /// - Throws: `StoreError` with code `.locked` when any connection has the store open.
  /// > Concurrency: Any thread.
  package static func settle(_ configuration: StoreConfiguration) throws(StoreError) {
    guard let path = configuration.url.map({ StorePath.resolved($0.path) }) else { return }
    try StoreFile.checkPlace(path, isReadOnly: false)
    let lock = try StoreLock(of: path, for: .metadata, besides: .nobody, timeout: 0)
    defer { lock.release() }
    try StoreFile.check(path, isReadOnly: false)
    try LogIdentity.require(path)
    try ExclusiveAccess(to: path, timeout: 0).connection.close()
  }

  /// Creates a new store and replaces the old one with it.
  ///
  /// No process can write to the old store during the operation: writers wait, or receive an error that names this
  /// process. It may be opened as read-only.
  ///
  /// - Parameters:
  ///   - configuration: The store, and how long to wait for those who have it open.
  ///   - place: The location of the new store, `.NAME.migrating` in the same folder; deleted at the end, or by the
  ///     next opening.
  ///   - make: Makes the new store from the old one.
  /// - Throws: What `make` throws; `StoreError` with code `.locked` when another connection has the store open. The
  ///   old store is unchanged then.
  /// > Concurrency: Any thread.
  package static func rebuild(
    _ configuration: StoreConfiguration, at place: URL, _ make: () throws -> Void
  ) throws {
    guard let path = configuration.url.map({ StorePath.resolved($0.path) }) else { return }
    try StoreFile.checkPlace(path, isReadOnly: false)
    let lock = try StoreLock(
      of: path, for: .migrate, besides: .users, timeout: configuration.timeout)
    defer { lock.release() }
    try lock.waitForUsers(of: path, timeout: configuration.timeout)
    try LogIdentity.require(path)
    // No process without this library has it open either, and the log was deleted.
    try ExclusiveAccess(to: path, timeout: configuration.timeout).connection.close()
    let files = StoreFiles(resolving: URL(fileURLWithPath: path))
    files.removeUnfinishedCopy()
    defer { files.removeUnfinishedCopy() }
    try make()
    try lock.takeUsers(of: path, timeout: configuration.timeout)
    var replacement = StoreReplacement(
      source: StoreFiles(resolving: place), destination: files, isForced: false,
      timeout: configuration.timeout)
    replacement.isLocked = true
    try replacement.run()
  }
}
