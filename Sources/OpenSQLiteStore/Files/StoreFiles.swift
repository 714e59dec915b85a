package import Foundation
import OpenStoreContract

/// The files of a store: the database, its sidecar files, and the folder of external values.
///
/// The value contains only the names of the files, and never opens the database.
package struct StoreFiles: Sendable {
  /// The URL of the database.
  let main: URL

  /// - Parameter main: The URL of the store's file, without links in its path. The file does not
  ///   have to exist.
  init(_ main: URL) { self.main = main }

  /// Creates the names of a store's files, and resolves links in the path.
  ///
  /// - Parameter url: The URL of the store's file, which does not have to exist.
  package init(resolving url: URL) {
    self.init(URL(fileURLWithPath: StorePath.resolved(url.path)))
  }

  /// The sidecar files of the database.
  static let suffixes = ["-wal", "-shm", "-journal"]

  var sidecars: [String] { Self.suffixes.map { main.path + $0 } }

  var folder: URL { main.deletingLastPathComponent() }

  /// The folder that contains all data of the store outside the database.
  ///
  /// As on Apple platforms, the folder's name does not contain the extension. Stores whose names
  /// differ only in their extensions share the folder.
  package var supportFolder: URL {
    let name = main.deletingPathExtension().lastPathComponent
    return folder.appendingPathComponent(".\(name)_SUPPORT")
  }

  /// Whether another store in the same folder may share the folder of external values.
  ///
  /// No file is opened to find out, because closing it could release locks of this process.
  var sharesSupportFolder: Bool {
    let files = FileManager.default
    let stem = main.deletingPathExtension().lastPathComponent
    let own = main.lastPathComponent
    // If the folder or a file cannot be read, the result is true, so that no shared value is
    // deleted.
    guard let names = try? files.contentsOfDirectory(atPath: folder.path) else { return true }
    return names.contains { name in
      guard name != own, name.hasPrefix(stem),
        !(Self.suffixes + ["-lock"]).contains(where: { name.hasSuffix($0) })
      else { return false }
      let place = folder.appendingPathComponent(name)
      guard place.deletingPathExtension().lastPathComponent == stem else { return false }
      guard let attributes = try? files.attributesOfItem(atPath: place.path) else { return true }
      guard attributes[.type] as? FileAttributeType == .typeRegular,
        let size = attributes[.size] as? NSNumber
      else { return false }
      return size.intValue > 0 && size.intValue % Self.smallestPage == 0
    }
  }

  /// The smallest page size; the size of a database is a multiple of it.
  private static let smallestPage = 512

  /// The folder of external values.
  var externalFolder: URL { supportFolder.appendingPathComponent("_EXTERNAL_DATA") }

  private var lockFile: String { LockFile.path(ofStoreAt: main.path) }

  /// Whether a lock file exists, possibly of a process that has exited.
  var isLocked: Bool { FileManager.default.fileExists(atPath: lockFile) }

  var exists: Bool { FileManager.default.fileExists(atPath: main.path) }

  /// Returns an unused path in the same folder, for a file that is renamed when it is complete.
  func temporaryPath() -> String {
    folder.appendingPathComponent(temporaryPrefix + UUID().uuidString).path
  }

  private var temporaryPrefix: String { ".\(main.lastPathComponent).copying-" }

  /// The files with temporary paths, and their sidecar files.
  var temporaryFiles: [String] {
    // A folder that cannot be read keeps them; they only waste room.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasPrefix(temporaryPrefix) }
      .map { folder.appendingPathComponent($0).path }
  }

  /// Deletes the database and its sidecar files. Missing files are not an error.
  ///
  /// The log is deleted first, so that it is never next to another database.
  func delete() throws(StoreError) {
    let names = externalNames()
    try deleteSidecars()
    try Self.remove(main.path)
    try deleteExternalValues(names)
    try deleteLock()
  }

  /// Determines which external files belong to a store.
  enum ExternalNames {
    /// All files in the folder.
    case all
    /// The files that the store's rows refer to, because another store, or a copy that is being
    /// made, uses the same folder.
    case some(Set<String>)
  }

  /// Returns the external files that would remain without the database.
  ///
  /// If the database cannot be read, no files are returned, because wasted space is better than
  /// damage to another store.
  func externalNames() -> ExternalNames {
    guard ExternalFiles(self).mayBelongToOthers else { return .all }
    guard exists, FileManager.default.fileExists(atPath: externalFolder.path) else {
      return .some([])
    }
    let names = try? StoreReading.withConnection(to: main) { externalNames(on: $0) }
    return names ?? .some([])
  }

  /// Returns the external files that would remain without the database, which a connection reads.
  func externalNames(on connection: Connection) -> ExternalNames {
    guard ExternalFiles(self).mayBelongToOthers else { return .all }
    do throws(StoreError) {
      return .some(try ExternalReferences(on: connection).names())
    } catch {
      return .some([])  // a damaged database
    }
  }

  func deleteExternalValues(_ names: ExternalNames) throws(StoreError) {
    switch names {
    case .all: try Self.remove(supportFolder.path)
    case .some(let names):
      let files = ExternalFiles(self)
      for name in names { files.remove(name) }
      for mark in files.marks() { files.remove(mark: mark) }
    }
  }

  /// Deletes the lock file. Processes that still use the store keep it open without a name.
  func deleteLock() throws(StoreError) { try Self.remove(lockFile) }

  func deleteSidecars() throws(StoreError) {
    for path in sidecars { try Self.remove(path) }
  }

  /// Deletes a file or folder. A missing file is not an error.
  static func remove(_ path: String) throws(StoreError) {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch CocoaError.fileNoSuchFile {
      return
    } catch {
      throw StoreError(
        .permission, "A file of the store cannot be deleted. Check the permissions of its folder.",
        path: path, underlying: error)
    }
  }
}
