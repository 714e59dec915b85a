import Foundation
import OpenStoreContract

/// The values of a store that have files of their own, named by UUIDs.
///
/// Files are never changed: a new value is a new file, so that a transaction that fails leaves the old
/// ones as they were.
struct ExternalFiles: Sendable {
  private let files: StoreFiles

  init(_ files: StoreFiles) { self.files = files }

  /// The names of all files; none without a folder.
  func names() throws(StoreError) -> Set<String> {
    do {
      return Set(try FileManager.default.contentsOfDirectory(atPath: files.externalFolder.path))
    } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
      return []
    } catch {
      throw StoreError(
        .inputOutput, "The folder of the store's external values cannot be read.",
        path: files.externalFolder.path, underlying: error)
    }
  }

  /// The bytes of files; a missing one has none.
  func bytes(of names: Set<String>) -> Int64 {
    names.reduce(0) { total, name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: path(of: name))
      return total + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
    }
  }

  /// The value in a file.
  ///
  /// - Throws: `StoreError` with code `.missingFile` when the file is gone.
  func value(named name: String) throws(StoreError) -> Data {
    let path = path(of: name)
    do {
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw StoreError(
        .missingFile, "The file with the value is missing; restore the store's folder from a copy.",
        path: path, underlying: error)
    }
  }

  /// Writes a value to a new file, which is on the disk when this returns.
  ///
  /// - Returns: The file's name.
  func add(_ value: Data) throws(StoreError) -> String {
    try makeFolder()
    let name = UUID().uuidString
    do {
      try value.write(to: URL(fileURLWithPath: path(of: name)))
    } catch {
      // Part of a value, which nothing uses.
      try? FileManager.default.removeItem(atPath: path(of: name))
      throw StoreError(
        .inputOutput, "A value cannot be written to a file of its own.", path: path(of: name),
        underlying: error)
    }
    try FileSync.sync(path(of: name))
    return name
  }

  /// Copies a file of another store.
  func adopt(_ name: String, from other: StoreFiles) throws(StoreError) {
    if FileManager.default.fileExists(atPath: path(of: name)) { return }
    try makeFolder()
    let part = path(of: "." + name)
    do {
      try? FileManager.default.removeItem(atPath: part)  // left by a copy that was cut off
      try FileManager.default.copyItem(
        atPath: other.externalFolder.appendingPathComponent(name).path, toPath: part)
    } catch {
      throw StoreError(
        .inputOutput, "A value with a file of its own cannot be copied.", path: path(of: name),
        underlying: error)
    }
    try FileSync.sync(part)
    try FileSync.rename(part, to: path(of: name))
  }

  /// Waits until the names of new files are on the disk.
  func syncNames() throws(StoreError) { try FileSync.sync(files.externalFolder.path) }

  /// Deletes a file that no row names any more; one that cannot be deleted only wastes room.
  func remove(_ name: String) { try? FileManager.default.removeItem(atPath: path(of: name)) }

  private func path(of name: String) -> String {
    files.externalFolder.appendingPathComponent(name).path
  }

  private func makeFolder() throws(StoreError) {
    let path = files.externalFolder.path
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw StoreError(
        .permission, "The folder for external values cannot be made.", path: path,
        underlying: error)
    }
  }
}
