import Foundation
import OpenStoreContract

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Checks a path before SQLite opens it, because SQLite's own errors do not distinguish the cases.
enum StoreFile {
  private static let signature = Data("SQLite format 3\u{0}".utf8)

  /// Requires that there is a store at a path, or that one can be created.
  static func check(_ path: String?, isReadOnly: Bool) throws(StoreError) {
    guard let path else { return }
    try checkPlace(path, isReadOnly: isReadOnly)
    guard FileManager.default.fileExists(atPath: path) else { return }
    // A file that is open has been looked at, and may not be opened but by SQLite.
    try OpenFiles.ifClosed(path) { () throws(StoreError) in
      try checkContents(path, isReadOnly: isReadOnly)
    }
  }

  /// Requires that a path and its folder are suitable for a store, regardless of the file's
  /// content.
  static func checkPlace(_ path: String, isReadOnly: Bool) throws(StoreError) {
    try requireRegularFiles(at: path)
    guard FileManager.default.fileExists(atPath: path) else {
      return try checkMissing(path, isReadOnly: isReadOnly)
    }
    guard FileManager.default.isReadableFile(atPath: path),
      isReadOnly || FileManager.default.isWritableFile(atPath: path)
    else {
      throw StoreError(
        .permission, "Access to the store file is denied. Check its permissions.",
        path: path)
    }
    try checkFolder(of: path, isReadOnly: isReadOnly)
  }

  /// Requires that the store's file and its sidecar files are regular files if they exist.
  ///
  /// Opening another kind of file, such as a pipe, could wait for another program.
  static func requireRegularFiles(at path: String) throws(StoreError) {
    for suffix in [""] + StoreFiles.suffixes {
      guard let kind = kind(of: path + suffix), kind != S_IFREG else { continue }
      let name = kind == S_IFDIR ? "a folder" : "a pipe, socket or device"
      throw StoreError(
        .obstructed, "The path is \(name), not a store file.", path: path + suffix)
    }
  }

  /// Returns whether there is a regular file at a path; false if the file is missing.
  static func isRegular(_ path: String) -> Bool { kind(of: path) == S_IFREG }

  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  private static func checkMissing(_ path: String, isReadOnly: Bool) throws(StoreError) {
    if isReadOnly {
      throw StoreError(.missingFile, "The store file does not exist.", path: path)
    }
    var isFolder: ObjCBool = false
    let folder = folder(of: path)
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder),
      isFolder.boolValue
    else {
      throw StoreError(
        .missingFolder, "The folder for the store does not exist. Create it first.", path: path)
    }
    try checkFolder(of: path, isReadOnly: false)
  }

  private static func checkFolder(of path: String, isReadOnly: Bool) throws(StoreError) {
    if isReadOnly || FileManager.default.isWritableFile(atPath: folder(of: path)) { return }
    throw StoreError(
      .permission, "The store's folder is not writable. Check its permissions.", path: path)
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
        .inputOutput, "The store file cannot be read.", path: path, underlying: error)
    }
    if head.isEmpty {
      guard isReadOnly else { return }
      throw StoreError(
        .foreignFile, "The file is empty, so it is not a store.", path: path,
        nativeCode: SQLiteFailure.notADatabase)
    }
    guard head.starts(with: signature) else {
      throw StoreError(
        .foreignFile, "The file is not a SQLite database.", path: path,
        nativeCode: SQLiteFailure.notADatabase)
    }
    if head.count < 100 || size < pageSize(in: head) {
      throw StoreError(
        .corrupt, "The store file is truncated. Restore it from a backup.", path: path,
        nativeCode: SQLiteFailure.damaged)
    }
  }

  /// Returns the page size in a database's header.
  private static func pageSize(in head: Data) -> UInt64 {
    let size = UInt64(head[16]) << 8 | UInt64(head[17])
    return size == 1 ? 65536 : size
  }
}
