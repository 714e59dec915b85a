import Foundation
import OpenStoreContract

/// Checks a path before SQLite opens it, because SQLite's own errors do not tell the cases apart.
enum StoreFile {
  private static let signature = Data("SQLite format 3\u{0}".utf8)

  /// Requires that a store is, or can be made, at a path.
  static func check(_ path: String?, isReadOnly: Bool) throws(StoreError) {
    guard let path else { return }
    try checkPlace(path, isReadOnly: isReadOnly)
    // A file that is open has been looked at, and may not be opened but by SQLite.
    guard FileManager.default.fileExists(atPath: path), !OpenFiles.isOpen(path) else { return }
    try checkContents(path, isReadOnly: isReadOnly)
  }

  /// Requires that a path and its folder allow a store, whatever is in the file.
  static func checkPlace(_ path: String, isReadOnly: Bool) throws(StoreError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      return try checkMissing(path, isReadOnly: isReadOnly)
    }
    if isFolder.boolValue {
      throw StoreError(.foreignFile, "The path names a folder, not a store.", path: path)
    }
    guard FileManager.default.isReadableFile(atPath: path),
      isReadOnly || FileManager.default.isWritableFile(atPath: path)
    else {
      throw StoreError(
        .permission, "The system refuses access to the store's file; check its permissions.",
        path: path)
    }
    try checkFolder(of: path, isReadOnly: isReadOnly)
  }

  private static func checkMissing(_ path: String, isReadOnly: Bool) throws(StoreError) {
    if isReadOnly {
      throw StoreError(.missingFile, "The store's file does not exist.", path: path)
    }
    var isFolder: ObjCBool = false
    let folder = folder(of: path)
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder),
      isFolder.boolValue
    else {
      throw StoreError(
        .missingFile, "The folder for the store does not exist; make it first.", path: path)
    }
    try checkFolder(of: path, isReadOnly: false)
  }

  private static func checkFolder(of path: String, isReadOnly: Bool) throws(StoreError) {
    if isReadOnly || FileManager.default.isWritableFile(atPath: folder(of: path)) { return }
    throw StoreError(
      .permission, "The store's folder cannot be written; check its permissions.", path: path)
  }

  private static func folder(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }

  private static func checkContents(_ path: String, isReadOnly: Bool) throws(StoreError) {
    let head: Data
    let size: UInt64
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? file.close() }  // Nothing was written.
      head = try file.read(upToCount: 100) ?? Data()
      size = try file.seekToEnd()
    } catch {
      throw StoreError(
        .inputOutput, "The store's file cannot be read.", path: path, underlying: error)
    }
    if head.isEmpty {
      guard isReadOnly else { return }
      throw StoreError(.foreignFile, "The file is empty, and so no store.", path: path)
    }
    guard head.starts(with: signature) else {
      throw StoreError(.foreignFile, "The file is not a SQLite database.", path: path)
    }
    if head.count < 100 || size < pageSize(in: head) {
      throw StoreError(
        .corrupt, "The store's file is cut off; restore it from a copy.", path: path)
    }
  }

  /// The page size that a database's header states.
  private static func pageSize(in head: Data) -> UInt64 {
    let size = UInt64(head[16]) << 8 | UInt64(head[17])
    return size == 1 ? 65536 : size
  }
}
