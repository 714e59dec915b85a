package import Foundation
import OpenStoreContract

/// The files of a store: the database, what SQLite keeps beside it, and the folder of external values.
///
/// A value that only names them. Nothing here opens the database.
package struct StoreFiles: Sendable {
  /// The database.
  let main: URL

  /// - Parameter main: The store's file, which need not exist.
  package init(_ main: URL) { self.main = main }

  /// What SQLite keeps beside the database.
  static let suffixes = ["-wal", "-shm", "-journal"]

  var companions: [String] { Self.suffixes.map { main.path + $0 } }

  var folder: URL { main.deletingLastPathComponent() }

  /// The folder with everything of the store that is not in the database.
  package var supportFolder: URL {
    let name = main.deletingPathExtension().lastPathComponent
    return folder.appendingPathComponent(".\(name)_SUPPORT")
  }

  /// The folder of the values that have a file of their own.
  var externalFolder: URL { supportFolder.appendingPathComponent("_EXTERNAL_DATA") }

  private var lockFile: String { LockFile.path(ofStoreAt: main.path) }

  /// Whether somebody locked the store, be it long ago.
  var isLocked: Bool { FileManager.default.fileExists(atPath: lockFile) }

  var exists: Bool { FileManager.default.fileExists(atPath: main.path) }

  /// A path in the same folder that nothing else uses, for a file that is renamed when it is complete.
  func temporaryPath() -> String {
    folder.appendingPathComponent(".\(main.lastPathComponent).\(UUID().uuidString)").path
  }

  /// Deletes the database and all that is beside it; missing files are no error.
  ///
  /// The log goes first, so that it never stands beside another database.
  func delete() throws(StoreError) {
    try deleteCompanions()
    try Self.remove(main.path)
    try Self.remove(supportFolder.path)
    try deleteLock()
  }

  /// Those who still use the store keep a lock file without name, like its others.
  func deleteLock() throws(StoreError) { try Self.remove(lockFile) }

  func deleteCompanions() throws(StoreError) {
    for path in companions { try Self.remove(path) }
  }

  /// Deletes a file or folder; a missing one is no error.
  static func remove(_ path: String) throws(StoreError) {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch CocoaError.fileNoSuchFile {
      return
    } catch {
      throw StoreError(
        .permission, "A file of the store cannot be deleted; check the permissions of its folder.",
        path: path, underlying: error)
    }
  }
}
