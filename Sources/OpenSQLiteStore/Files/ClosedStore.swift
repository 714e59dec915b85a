import COpenSQLite
import Foundation
import OpenStoreContract

/// Operations on the file of a store, without opening the store.
///
/// Each operation holds the lock of the store while it uses the file.
///
/// > Concurrency: Callable from any thread.
struct ClosedStore {
  private let configuration: StoreConfiguration
  private let path: String

  /// Creates the operations for the file of a configuration; nil for a configuration without a URL.
  init?(_ configuration: StoreConfiguration) {
    guard let url = configuration.url else { return nil }
    self.configuration = configuration
    path = StorePath.resolved(url.path)
  }

  /// Whether the file of the store exists.
  var exists: Bool { FileManager.default.fileExists(atPath: path) }

  /// Writes metadata, and keeps the entries that belong to the file.
  func setMetadata(_ metadata: StoreMetadata) throws(StoreError) {
    try StoreFile.checkPlace(path, isReadOnly: false)
    let lock = try StoreLock(
      of: path, for: .metadata, besides: .users, timeout: configuration.timeout)
    defer { lock.release() }
    try StoreFile.check(path, isReadOnly: false)
    try LogIdentity.require(path)
    let claim = OpenFiles.Claim(path)
    defer { claim.close() }
    let connection = try Connection(
      path: path, flags: SQLITE_OPEN_READWRITE, configuration: configuration)
    defer { connection.close() }
    try FileTables.requireStore(try FileTables.read(on: connection), path: path)
    try connection.transaction { () throws(StoreError) in
      (try MetadataTable.write(metadata, on: connection), true)
    }
  }

  /// Checkpoints the store and deletes its write-ahead log.
  func settle() throws(StoreError) {
    try StoreFile.checkPlace(path, isReadOnly: false)
    let lock = try StoreLock(of: path, for: .metadata, besides: .noUsers, timeout: 0)
    defer { lock.release() }
    try StoreFile.check(path, isReadOnly: false)
    try LogIdentity.require(path)
    try ExclusiveAccess(to: path, timeout: 0).connection.close()
  }

  /// Replaces the store with a new store, which `make` creates at another place.
  func rebuild(at place: URL, _ make: () throws -> Void) throws {
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
