import Foundation
import OpenObjectGraph
import OpenPersistenceKit
import OpenSQLiteStore
import OpenStoreContract

/// Implements the commands that copy, back up and restore stores. In the output, each row
/// describes a backup.
package enum BackupReport {
  /// Copies the committed data of a store, with the files of external values.
  ///
  /// - Parameters:
  ///   - path: The path of the store's file, or of a folder that contains one store.
  ///   - destination: The path of the copy.
  /// - Throws: `ToolError` with status `.usage` if the store or the destination is on a server, or
  ///   if a folder at `path` does not contain exactly one store. Throws `ToolError` with status
  ///   `.unreadable` if the store cannot be read, if a file exists at the destination, or if the
  ///   copy cannot be written.
  package static func copy(storeAt path: String, to destination: String) throws {
    for place in [path, destination] { try InspectedStore.requireFile(place, for: "backup") }
    let store = try InspectedStore.file(at: path)
    do {
      try StoreInspection.copy(storeAt: store, to: URL(fileURLWithPath: destination))
    } catch {
      throw ToolError(.unreadable, "\(error.path ?? path): \(error.message)")
    }
  }

  /// Creates a backup of a store.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - folder: The folder for the backups; nil for the default folder next to the store.
  ///   - count: The number of backups to keep, including the new backup; nil to keep all. A value
  ///     less than 1 is treated as 1.
  /// - Returns: A row that describes the backup.
  /// - Throws: `ToolError` with status `.usage` if the store is on a server, or if a folder at
  ///   `path` does not contain exactly one store. Throws `ToolError` with status `.unreadable` if
  ///   the store cannot be read or the backup cannot be written.
  package static func make(
    ofStoreAt path: String, in folder: String?, keeping count: Int?
  ) throws -> [OutputValue.Field] {
    let backups = try backups(ofStoreAt: path, in: folder)
    return try ToolError.reporting(path) { fields(try backups.make(keeping: count)) }
  }

  /// Returns the backups of a store, the newest first; empty if there are no backups.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - folder: The folder of the backups; nil for the default folder next to the store.
  /// - Throws: `ToolError` with status `.usage` if the store is on a server, or if a folder at
  ///   `path` does not contain exactly one store. Throws `ToolError` with status `.unreadable` if
  ///   the store's file does not exist or the folder cannot be read.
  package static func list(
    ofStoreAt path: String, in folder: String?
  ) throws -> [[OutputValue.Field]] {
    let backups = try backups(ofStoreAt: path, in: folder)
    return try ToolError.reporting(path) { try backups.list().map(fields) }
  }

  /// Replaces a store with a backup.
  ///
  /// - Parameters:
  ///   - path: The path of the backup's folder.
  ///   - destination: The path of the store to replace; nil to replace the store from which the
  ///     backup was created.
  /// - Returns: The path of the replaced store.
  /// - Throws: `ToolError` with status `.usage` if `destination` is nil and the backup is not next
  ///   to its store, or if a path is the URL of a server. Throws `ToolError` with status
  ///   `.unreadable` if the folder is not a backup, or if the store cannot be replaced, for example
  ///   because the store is open.
  package static func restore(_ path: String, to destination: String?) throws -> String {
    for place in [path, destination].compactMap(\.self) {
      try InspectedStore.requireFile(place, for: "restore")
    }
    let url = URL(fileURLWithPath: path).standardizedFileURL
    let beside = try find(url, in: StoreBackups(containing: url))
    guard let (known, backup) = try beside ?? find(url, in: elsewhere(url)) else {
      throw ToolError(.unreadable, "\(path): This is not the folder of a backup.")
    }
    guard let place = destination.map({ URL(fileURLWithPath: $0) }) ?? beside?.known.storeURL else {
      throw ToolError(
        .usage,
        "\(path): The backup is not next to its store. Specify the store file with --to.")
    }
    try ToolError.reporting(place.path) { try known.restore(backup, to: place) }
    return place.path
  }

  /// Returns the backup at a URL; nil if the given backups do not include it.
  private static func find(
    _ url: URL, in known: StoreBackups?
  ) throws -> (known: StoreBackups, backup: StoreBackup)? {
    guard let known else { return nil }
    let backup = try ToolError.reporting(url.path) { try known.list() }
      .first { $0.url.lastPathComponent == url.lastPathComponent }
    return backup.map { (known, $0) }
  }

  /// Returns the backups in a folder that was specified with `--to`. The name of a backup begins
  /// with the name of the store.
  private static func elsewhere(_ backup: URL) -> StoreBackups? {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: backup.path)) ?? []
    guard let name = files.first(where: { backup.lastPathComponent.hasPrefix($0 + "-") }) else {
      return nil
    }
    let folder = backup.deletingLastPathComponent()
    return StoreBackups(ofStoreAt: folder.appendingPathComponent(name), in: folder)
  }

  private static func backups(ofStoreAt path: String, in folder: String?) throws -> StoreBackups {
    try InspectedStore.requireFile(path, for: "backup")
    return StoreBackups(
      ofStoreAt: try InspectedStore.file(at: path), in: folder.map { URL(fileURLWithPath: $0) })
  }

  private static func fields(_ backup: StoreBackup) -> [OutputValue.Field] {
    [
      .init("backup", .text(backup.url.path)),
      .init(
        "date",
        .text(
          DateText.text(ofSecondsSinceReference: backup.date.timeIntervalSinceReferenceDate) ?? "")),
      .init("version", .text(backup.versionPrefix)),
    ]
  }
}
