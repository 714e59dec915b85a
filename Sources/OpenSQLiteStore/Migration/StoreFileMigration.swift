import Foundation
import OpenSQLCore
import OpenStoreContract

/// Migrates a store in place, while neither another process nor another store of this process has
/// it open.
struct StoreFileMigration {
  let configuration: StoreConfiguration
  let transition: ModelTransition
  let files: StoreFiles
  let progress: MigrationProgress?

  /// - Parameter way: The way in which the migration changes the store; nil to migrate in place if
  ///   possible. Tables that cannot be changed in place are copied.
  func run(_ way: StoreMigrationPlan.Way?) throws(StoreError) {
    let path = files.main.path
    try StoreFile.checkPlace(path, isReadOnly: false)
    guard files.exists else {
      throw StoreError(.missingFile, "The store file does not exist.", path: path)
    }
    let lock = try StoreLock(
      of: path, for: .migrate, besides: .users, timeout: configuration.timeout)
    defer { lock.release() }
    if OpenFiles.isOpen(path) { try checkSource() }
    try lock.takeUsers(of: path, timeout: configuration.timeout)
    try StoreFile.check(path, isReadOnly: false)
    try LogIdentity.require(path)
    files.removeUnfinishedCopy()
    let wasLogged = StoreInspection.isLogged(files.main)
    let claim = OpenFiles.Claim(path)
    defer { claim.close() }
    let access = try ExclusiveAccess(to: path, ownConfiguration)
    defer { access.connection.close() }
    let source = try MigrationSource(transition, configuration, on: access.connection)
    if way != .copy, source.migration.copyReasons.isEmpty {
      defer { if wasLogged { access.restoreLog() } }
      try InPlaceMigration(
        access: access, source: source, files: files,
        configurationName: configuration.configurationName, monitor: MigrationMonitor(progress)
      ).run()
    } else {
      try copy(source, access, wasLogged: wasLogged)
    }
  }

  /// Compares the file with the source model before stores of this process are closed, so that they
  /// stay open if the store cannot be migrated.
  private func checkSource() throws(StoreError) {
    _ = try StoreReading.withLockedConnection(to: files.main, isInUse: true) {
      (connection) throws(StoreError) in
      try MigrationSource(transition, configuration, on: connection)
    }
  }

  /// The configuration without the application's settings, which apply to its own connections only.
  private var ownConfiguration: StoreConfiguration {
    var own = configuration
    own.settings = [:]
    return own
  }

  private func copy(
    _ source: MigrationSource, _ access: ExclusiveAccess, wasLogged: Bool
  ) throws(StoreError) {
    // The connection that copies locks the file itself.
    access.connection.close()
    let copy = try CopyMigration(
      source, readingFrom: files.main.path, of: files, to: files.unfinishedCopy, ownConfiguration,
      MigrationMonitor(progress))
    defer { copy.discard() }
    try copy.lockSource()
    try copy.fill()
    let external = ExternalFiles(files)
    let mark = source.migration.freesExternalValues ? try external.makeMark() : nil
    do throws(StoreError) {
      try files.takePermissions(for: copy.path)
      try files.deleteSidecars()
      try FileSync.rename(copy.path, to: files.main.path)
    } catch {
      if let mark { external.remove(mark: mark) }
      throw error
    }
    if let mark { ExternalSweep(files).finish(mark, on: copy.connection) }
    if let progress { _ = progress(1) }
  }
}

extension ExclusiveAccess {
  /// Enables the write-ahead log again, which exists only while a connection is open.
  func restoreLog() {
    // A file without a log is as good; the next opening brings it back.
    try? connection.forEachRow("PRAGMA journal_mode = WAL") { _ in }
  }
}

extension StoreFiles {
  /// The path of the new file of a migration until it is complete.
  ///
  /// The name is always the same, because only one migration of a store runs at a time. The next
  /// migration or the next opening deletes an incomplete file.
  var unfinishedCopy: String {
    folder.appendingPathComponent(".\(main.lastPathComponent).migration").path
  }

  /// The new store of a migration by objects until it is complete.
  private var unfinishedStore: StoreFiles {
    StoreFiles(folder.appendingPathComponent(".\(main.lastPathComponent).migrating"))
  }

  /// Deletes the files that a killed migration or replacement left. Requires the store's lock and
  /// exclusive access.
  ///
  /// A forced replacement does not hold the lock. If this method deletes the file of its copy, the
  /// replacement fails and leaves the store unchanged.
  func removeUnfinishedCopy() {
    let store = unfinishedStore
    let paths =
      ["", "-wal", "-shm", "-journal"].map { unfinishedCopy + $0 } + store.sidecars
      + [store.main.path, store.main.path + "-lock", store.supportFolder.path] + temporaryFiles
    for path in paths where FileManager.default.fileExists(atPath: path) {
      try? FileManager.default.removeItem(atPath: path)  // It only wastes room.
    }
  }

  /// Gives a new file the permissions of the store's file.
  fileprivate func takePermissions(for path: String) throws(StoreError) {
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: main.path)
      guard let permissions = attributes[.posixPermissions] else { return }
      try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    } catch {
      throw StoreError(
        .permission, "The store file's permissions cannot be applied to the new file.", path: path,
        underlying: error)
    }
  }
}
