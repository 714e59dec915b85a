import COpenSQLite
import Foundation
import OpenStoreContract

/// The exclusive connection to a store's file.
///
/// Confined to one call. Opening the connection checkpoints and removes the write-ahead log, so no
/// sidecar files remain.
struct ExclusiveAccess {
  let connection: Connection

  /// - Throws: `StoreError` with code `.locked` if any other connection, even of this process, has
  ///   the file open.
  init(to path: String, timeout: TimeInterval) throws(StoreError) {
    var configuration = StoreConfiguration(url: URL(fileURLWithPath: path))
    configuration.timeout = timeout
    try self.init(to: path, configuration)
  }

  /// - Parameter configuration: The timeout and the statement observer.
  init(to path: String, _ configuration: StoreConfiguration) throws(StoreError) {
    let claim = OpenFiles.Claim(path)
    connection = try Connection(
      path: path, flags: SQLITE_OPEN_READWRITE, configuration: configuration)
    connection.claim = claim
    do throws(StoreError) {
      try connection.forEachRow("PRAGMA locking_mode = EXCLUSIVE") { _ in }
      // In a file with a log the first write asks for sole use; without one, this does.
      try connection.run("BEGIN EXCLUSIVE")
      try connection.run("COMMIT")
      try connection.forEachRow("PRAGMA journal_mode = DELETE") { _ in }
      // SQLite does not delete the file of a killed process; without a log, no process uses it.
      try StoreFiles.remove(path + "-shm")
    } catch {
      // The kernel can be asked as long as the file is open here.
      let other = KernelLocks.otherHolder(of: path, byte: Self.readLock)
      connection.close()
      throw error.code == .locked ? Self.locked(path, by: other, error) : error
    }
  }

  /// The first byte that SQLite locks when a connection reads or writes a file.
  private static let readLock = 0x4000_0002

  private static func locked(
    _ path: String, by other: StoreInUse.Holder?, _ error: StoreError
  ) -> StoreError {
    let shared = other.map { [$0] } ?? KernelLocks.holders(of: path + "-shm")
    let holders = shared.isEmpty ? KernelLocks.holders(of: path) : shared
    return StoreLock.inUse(holders, path, nativeCode: error.nativeCode)
  }
}
