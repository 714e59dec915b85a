import COpenSupport
import Foundation
import OpenStoreContract

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The external values of a store, in files named by UUIDs.
///
/// Files are never changed: a new value is written to a new file. Every state of the store that can
/// be read, or that can return after a power failure, therefore finds its files.
struct ExternalFiles: Sendable {
  /// The number of bytes of a reference in a row: a tag, the file's name, and a zero byte.
  static let referenceLength = 38

  let store: StoreFiles

  init(_ store: StoreFiles) { self.store = store }

  // MARK: Names

  /// Returns the file name in a reference, or nil for any other value.
  static func name(in value: Data) -> String? {
    value.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, ocd_is_external(start, bytes.count) != 0 else {
        return nil
      }
      return String(decoding: bytes[1..<37], as: UTF8.self)
    }
  }

  /// Returns the reference that a row contains instead of a value in a file.
  static func reference(to name: String) -> Data { Data([2] + Array(name.utf8) + [0]) }

  /// Returns whether this library or Apple's framework created a file with this name.
  static func isName(_ name: String) -> Bool {
    name.utf8.count == 36 && UUID(uuidString: name) != nil
  }

  /// Returns the names of all files; empty if there is no folder.
  func names() throws(StoreError) -> Set<String> {
    do {
      return Set(try FileManager.default.contentsOfDirectory(atPath: store.externalFolder.path))
    } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
      return []
    } catch {
      throw StoreError(
        .inputOutput, "The folder of the store's external files cannot be read.",
        path: store.externalFolder.path, underlying: error)
    }
  }

  func path(of name: String) -> String { store.externalFolder.path + "/" + name }

  func exists(_ name: String) -> Bool { access(path(of: name), F_OK) == 0 }

  /// Returns the size of files in bytes. A missing file counts as 0 bytes.
  func bytes(of names: Set<String>) -> Int64 {
    names.reduce(0) { $0 + Int64(size(of: $1)) }
  }

  private func size(of name: String) -> Int { StoreSnapshot.size(of: path(of: name)) }

  // MARK: Reading

  /// Reads the value in a file.
  ///
  /// - Throws: `StoreError` with code `.missingFile` if the file was deleted.
  func value(named name: String) throws(StoreError) -> Data {
    do {
      return try Data(contentsOf: URL(fileURLWithPath: path(of: name)))
    } catch {
      throw missing(name, underlying: error)
    }
  }

  /// Returns the error for a row whose file cannot be read.
  func missing(
    _ name: String, statement: String? = nil, underlying: (any Error)? = nil
  ) -> StoreError {
    StoreError(
      .missingFile,
      "The external file of a value is missing or cannot be read. Restore the file from a "
        + "backup of the store, or set the attribute to nil with a batch update.",
      path: path(of: name), statement: statement, underlying: underlying)
  }

  // MARK: Writing

  /// Writes a value to a new file and synchronizes the file to disk.
  ///
  /// - Returns: The name of the file.
  func add(_ value: UnsafeRawBufferPointer) throws(StoreError) -> String {
    try makeFolder()
    let name = UUID().uuidString
    do throws(StoreError) {
      try FileSync.write(value, toNewFile: path(of: name))
    } catch {
      // Part of a value, which nothing uses.
      remove(name)
      throw StoreError(
        .inputOutput, "An external file cannot be written.", path: path(of: name),
        underlying: error)
    }
    return name
  }

  /// Copies a file of another store, unless there is a file with the new name.
  ///
  /// Files with the same name have the same value. A file that is shorter was truncated, and is
  /// replaced by the copy.
  ///
  /// - Parameter newName: The name of the copy.
  /// - Returns: Whether the name was free before.
  @discardableResult
  func adopt(
    _ name: String, as newName: String, from other: ExternalFiles
  ) throws(StoreError) -> Bool {
    let isFree = !exists(newName)
    if !isFree, size(of: newName) >= other.size(of: name) { return false }
    try makeFolder()
    let part = path(of: "." + newName)
    do {
      try? FileManager.default.removeItem(atPath: part)  // left by a copy that was cut off
      try FileManager.default.copyItem(atPath: other.path(of: name), toPath: part)
    } catch {
      guard other.exists(name) else { throw other.missing(name, underlying: error) }
      throw StoreError(
        .inputOutput, "An external file cannot be copied.", path: path(of: newName),
        underlying: error)
    }
    try FileSync.sync(part)
    try FileSync.rename(part, to: path(of: newName))
    return isFree
  }

  /// Waits until the names of new files are synchronized to disk.
  func syncNames() throws(StoreError) { try FileSync.sync(store.externalFolder.path) }

  /// Deletes a file that no row refers to. If deleting fails, the file only wastes space.
  func remove(_ name: String) { _ = unlink(path(of: name)) }

  /// Creates the folder and synchronizes its name to disk.
  func makeFolder() throws(StoreError) {
    if access(store.externalFolder.path, F_OK) == 0 { return }
    for folder in [store.supportFolder, store.externalFolder] {
      guard mkdir(folder.path, 0o777) == 0 || errno == EEXIST else {
        throw StoreError(
          .permission,
          "The folder for external files cannot be created: \(String(cString: strerror(errno))).",
          path: folder.path)
      }
      try FileSync.sync(folder.deletingLastPathComponent().path)
    }
  }

  // MARK: Marks

  /// The prefix of marks. A mark records that orphaned external files, to which no row refers, may
  /// exist.
  private var markPrefix: String { store.main.lastPathComponent + Self.markInfix }

  /// The characters between the name of a store's file and the rest of a mark's name.
  private static let markInfix = "-values-"

  /// Returns the marks that programs have created but not removed.
  func marks() -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: store.supportFolder.path)
    return (names ?? []).filter { $0.hasPrefix(markPrefix) }  // no folder, no marks
  }

  /// Creates a mark and synchronizes it to disk.
  ///
  /// - Returns: The name of the mark.
  func makeMark() throws(StoreError) -> String {
    try makeFolder()
    let name = markPrefix + UUID().uuidString
    try FileSync.write(
      UnsafeRawBufferPointer(start: nil, count: 0), toNewFile: path(ofMark: name))
    try FileSync.sync(store.supportFolder.path)
    return name
  }

  func remove(mark: String) { _ = unlink(path(ofMark: mark)) }

  func path(ofMark mark: String) -> String { store.supportFolder.path + "/" + mark }

  /// Whether the folder may contain files of another store, or of a copy that does not have its
  /// final name yet.
  ///
  /// A copy creates its mark before its first file, and removes the mark after it received its
  /// name. The marks are therefore read first.
  var mayBelongToOthers: Bool { hasMarksOfCopies || store.sharesSupportFolder }

  /// Whether copies are being made whose files are in the folder; true if the folder cannot be
  /// read.
  private var hasMarksOfCopies: Bool {
    let names = try? FileManager.default.contentsOfDirectory(atPath: store.supportFolder.path)
    guard let names else { return FileManager.default.fileExists(atPath: store.supportFolder.path) }
    return names.contains { $0.contains(Self.markInfix) && CopyMark.isLocked(path(ofMark: $0)) }
  }
}
