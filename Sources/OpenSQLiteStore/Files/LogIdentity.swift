import COpenSQLite
import Foundation
import OpenStoreContract

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Finds a log that belongs to another store, before SQLite writes its pages into the file.
///
/// A log is left beside a file by a killed program. When the file is then replaced by itself, SQLite takes
/// the old log for the new file's and undoes the replacement, without any error.
enum LogIdentity {
  /// Where SQLite locks the index of a log as long as a connection has it open.
  private static let connectionLock = 128

  /// Requires that the log beside a file, if there is any, is the file's own.
  ///
  /// The log of a file that is in use is not looked at. Another one costs a copy of the file.
  static func require(_ path: String?) throws(StoreError) {
    guard let path, StoreSnapshot.size(of: path + "-wal") > 0 else { return }
    try OpenFiles.ifClosed(path) { () throws(StoreError) in
      if !isInUse(path + "-shm") { try check(path) }
    }
  }

  /// Whether another process has the index of a log open.
  private static func isInUse(_ path: String) -> Bool {
    let file = open(path, O_RDWR)
    guard file >= 0 else { return false }
    defer { close(file) }
    return KernelLocks.process(locking: connectionLock, in: file) != nil
  }

  private static func check(_ path: String) throws(StoreError) {
    guard let own = identifier(StoreSnapshot.uri(path, "immutable=1"), path) else { return }
    let folder = StoreFiles(URL(fileURLWithPath: path)).temporaryPath()
    let files = FileManager.default
    // Nothing of value is in the folder.
    defer { try? files.removeItem(atPath: folder) }
    do {
      try files.createDirectory(atPath: folder, withIntermediateDirectories: false)
      try files.copyItem(atPath: path, toPath: folder + "/store")
      try files.copyItem(atPath: path + "-wal", toPath: folder + "/store-wal")
    } catch {
      // The log is deleted by the last of other programs that close the store.
      guard StoreSnapshot.size(of: path + "-wal") > 0 else { return }
      throw StoreError(
        .inputOutput, "The store's log cannot be looked at.", path: path, underlying: error)
    }
    guard let logged = identifier(StoreSnapshot.uri(folder + "/store", "mode=rw"), path),
      logged != own
    else { return }
    throw StoreError(
      .corrupt,
      "The log \(path)-wal belongs to another store than the file beside it, and would undo it. "
        + "Move the log and \(path)-shm away, or put the log's own file back.", path: path)
  }

  /// Nil for a file that is no store, which opening it will tell.
  private static func identifier(_ name: String, _ path: String) -> String? {
    let connection = try? Connection(
      path: path, name: name, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI,
      configuration: StoreConfiguration(url: nil))
    defer { connection?.close() }
    var identifier: String?
    try? connection?.forEachRow("SELECT Z_UUID FROM Z_METADATA") { identifier = $0.text(0) }
    return identifier
  }
}
