import COpenSQLite
import COpenSupport
import Foundation
package import OpenStoreContract

/// Empties a store, or deletes its files.
///
/// > Concurrency: Callable from any thread.
struct StoreDestruction {
  let configuration: StoreConfiguration
  let isForced: Bool

  func run() throws(StoreError) {
    guard let url = configuration.url else { return }
    if url.isInMemory { return try requireUnused() }
    let files = StoreFiles(resolving: url)
    try StoreFile.requireRegularFiles(at: files.main.path)
    guard files.exists || files.isLocked, !isForced else { return try files.delete() }
    let lock = try StoreLock(
      of: files.main.path, for: .destroy, besides: .noUsers, timeout: configuration.timeout)
    defer { lock.release() }
    guard files.exists else { return try files.delete() }
    do throws(StoreError) {
      try StoreFile.check(files.main.path, isReadOnly: false)
      try empty(files)
    } catch {
      guard error.code == .corrupt else { throw error }
      try files.delete()
    }
  }

  /// Requires that no coordinator has an in-memory store open. The store is deallocated with its
  /// last user.
  private func requireUnused() throws(StoreError) {
    guard let name = configuration.url?.memoryName else { return }
    let connection = try ConnectionSettings(configuration, path: nil).makeWriter()
    defer { connection.close() }
    guard try FileTables.read(on: connection).isEmpty else {
      throw StoreError(
        .locked,
        "The in-memory store \"\(name)\" is open. To destroy it, remove it from all coordinators.")
    }
  }

  private func empty(_ files: StoreFiles) throws(StoreError) {
    let access = try ExclusiveAccess(to: files.main.path, timeout: configuration.timeout)
    defer { access.connection.close() }
    let tables = try FileTables.read(on: access.connection)
    if !tables.isEmpty { try FileTables.requireStore(tables, path: files.main.path) }
    let names = files.externalNames(on: access.connection)
    ocd_reset_database(access.connection.database, 1)
    defer { ocd_reset_database(access.connection.database, 0) }
    try access.connection.run("VACUUM")
    try files.deleteSidecars()
    try files.deleteExternalValues(names)
  }
}

extension SQLiteStore {
  /// Empties a store. The file remains as an empty database, and its sidecar files are deleted.
  ///
  /// The files of a damaged store are deleted instead. A missing file is not an error. For an
  /// in-memory store, the method only checks that no coordinator has the store open.
  ///
  /// - Parameters:
  ///   - configuration: The store's file, and the timeout for other processes.
  ///   - isForced: Whether to delete the files even if they are in use or do not form a database.
  /// - Throws: `StoreError` with one of these codes: `.locked` if a connection has the store open;
  ///   `.foreignFile` for a file of another kind; `.obstructed` if the path is not a regular file;
  ///   another code if the files cannot be read or deleted.
  /// > Concurrency: Callable from any thread.
  package static func destroy(
    _ configuration: StoreConfiguration, isForced: Bool
  ) throws(StoreError) {
    try StoreDestruction(configuration: configuration, isForced: isForced).run()
  }
}
