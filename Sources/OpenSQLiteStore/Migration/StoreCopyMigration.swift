import Foundation
import OpenSQLCore
import OpenStoreContract

/// Writes a migrated copy of a store to another location, without changing the store's contents.
///
/// If no other process has the store open, the store is checkpointed first, so that it consists of
/// a single file.
struct StoreCopyMigration {
  let configuration: StoreConfiguration
  let transition: ModelTransition
  let source: StoreFiles
  let destination: StoreFiles
  let timeout: TimeInterval
  let progress: MigrationProgress?

  func run() throws(StoreError) {
    let place = destination.main.path
    try StoreFile.check(source.main.path, isReadOnly: true)
    try StoreFile.checkPlace(place, isReadOnly: false)
    guard !destination.exists else {
      throw StoreError(
        .permission, "A file already exists at the destination. Choose another destination.",
        path: place)
    }
    let lock = try lockSource()
    defer { lock?.release() }
    let target = try StoreLock(of: place, for: .migrate, besides: .noUsers, timeout: timeout)
    defer { target.release() }
    destination.removeUnfinishedCopy()
    try LogIdentity.require(source.main.path)
    var isInUse = lock.map { !$0.isAlone } ?? false
    if lock != nil, !isInUse { isInUse = try !emptyLog() }
    let monitor = MigrationMonitor(progress)
    let read = try StoreReading.withLockedConnection(to: source.main, isInUse: isInUse) {
      (connection) throws(StoreError) in
      try MigrationSource(transition, configuration, on: connection)
    }
    let snapshot = try StoreSnapshot(of: source.main.path, isInUse: isInUse)
    let claim = snapshot.isFollowing ? OpenFiles.Claim(source.main.path) : nil
    defer { claim?.close() }
    try fill(read, snapshot, monitor)
    withExtendedLifetime(snapshot) {}
    if let progress { _ = progress(1) }
  }

  private func fill(
    _ read: MigrationSource, _ snapshot: StoreSnapshot, _ monitor: MigrationMonitor
  ) throws(StoreError) {
    var own = configuration
    own.settings = [:]
    let copy = try CopyMigration(
      read, readingFrom: snapshot.name, of: source, to: destination.unfinishedCopy, own, monitor)
    defer { copy.discard() }
    try copy.readSource()
    try copy.fill()
    let values = ExternalAdoption(from: source, to: destination)
    do throws(StoreError) {
      try values.adopt(namedBy: copy.connection)
      try FileSync.sync(copy.path)
      try destination.deleteSidecars()
      try FileSync.rename(copy.path, to: destination.main.path)
    } catch {
      // After the rename, the new store needs the files even if its name may not be on the disk.
      if destination.exists { values.settle() } else { values.discard() }
      throw error
    }
    values.settle()
  }

  /// Prevents other processes from opening or changing the source. The result is nil if the
  /// source's folder is read-only.
  private func lockSource() throws(StoreError) -> StoreLock? {
    guard FileManager.default.isWritableFile(atPath: source.folder.path),
      FileManager.default.isWritableFile(atPath: source.main.path)
    else {
      try StoreLock.waitForOperations(on: source.main.path, timeout: timeout)
      return nil
    }
    return try StoreLock(of: source.main.path, for: .migrate, besides: .users, timeout: timeout)
  }

  /// Moves the write-ahead log into the file.
  ///
  /// - Returns: Whether no process has the file open. Another program may have it open without the
  ///   store's lock.
  private func emptyLog() throws(StoreError) -> Bool {
    guard FileManager.default.fileExists(atPath: source.main.path + "-wal") else { return true }
    do throws(StoreError) {
      let access = try ExclusiveAccess(to: source.main.path, timeout: min(timeout, 1))
      defer { access.connection.close() }
      access.restoreLog()
      return true
    } catch {
      if error.code == .locked { return false }
      throw error
    }
  }
}
