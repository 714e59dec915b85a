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

/// Copies the external files that the rows of a migrated copy refer to into the copy's folder.
final class ExternalAdoption {
  private let source: StoreFiles
  private let destination: StoreFiles
  private var added: [String] = []
  private var mark: CopyMark?

  init(from source: StoreFiles, to destination: StoreFiles) {
    self.source = source
    self.destination = destination
  }

  /// Copies the files. In the folder of the source, the copies receive new names, so that neither
  /// store deletes the other's files.
  func adopt(namedBy connection: Connection) throws(StoreError) {
    let references = try ExternalReferences(on: connection)
    var places: [ExternalReferences.Place] = []
    try references.forEach { places.append($0) }
    guard !places.isEmpty else { return }
    let (from, to) = (ExternalFiles(source), ExternalFiles(destination))
    mark = try CopyMark(in: to)
    let isShared = source.externalFolder.path == destination.externalFolder.path
    // Attributes that are derived from others refer to the same files.
    var copies: [String: String] = [:]
    if isShared { try connection.run("BEGIN IMMEDIATE") }
    for place in places {
      let name = copies[place.fileName] ?? (isShared ? UUID().uuidString : place.fileName)
      copies[place.fileName] = name
      if try to.adopt(place.fileName, as: name, from: from) { added.append(name) }
      if isShared { try references.replace(place, with: name) }
    }
    if isShared { try connection.run("COMMIT") }
  }

  /// Removes the mark after the copy has received its final name.
  func settle() { mark?.remove() }

  /// Deletes the copied files.
  func discard() {
    for name in added { ExternalFiles(destination).remove(name) }
    settle()
  }
}
