import Foundation
import OpenStoreContract

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that is only replaced completely, so that it always has either the old or the new
/// contents.
///
/// A value type.
struct AtomicFile: Sendable {
  private let url: URL

  init(_ url: URL) { self.url = url.resolvingSymlinksInPath() }

  var path: String { url.path }

  /// Returns the file's contents; nil if the file does not exist.
  ///
  /// - Throws: `StoreError` with code `.foreignFile` if the path is not a regular file, or with
  ///   code `.permission` or `.inputOutput` if the file cannot be read.
  func read() throws(StoreError) -> Data? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw StoreError(
        errno == EACCES ? .permission : .inputOutput,
        "The store cannot be read: \(String(cString: strerror(errno))).", path: path)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.foreignFile, "The store's path is not a regular file.", path: path)
    }
    do {
      return try Data(contentsOf: url)
    } catch {
      throw StoreError(
        access(path, R_OK) == 0 ? .inputOutput : .permission,
        "The store cannot be read; check the file's permissions.", path: path, underlying: error)
    }
  }

  /// Writes a temporary file, synchronizes the temporary file to disk, and replaces the old file.
  ///
  /// - Throws: `StoreError` if the file cannot be written; the old file then remains unchanged.
  func write(_ data: Data) throws(StoreError) {
    let folder = url.deletingLastPathComponent()
    guard access(folder.path, F_OK) == 0 else {
      throw StoreError(
        .missingFile, "The folder of the store does not exist; make it first.", path: path)
    }
    let part = folder.appendingPathComponent(
      ".\(url.lastPathComponent).\(UUID().uuidString).part")
    do throws(StoreError) {
      let result: Result<Void, StoreError> = data.withUnsafeBytes { bytes in
        do throws(StoreError) {
          return .success(try FileSync.write(bytes, toNewFile: part.path))
        } catch {
          return .failure(error)
        }
      }
      try result.get()
      var status = stat()
      // The new file gets the permissions of the old file.
      if stat(path, &status) == 0 { chmod(part.path, status.st_mode & 0o7777) }
      try FileSync.rename(part.path, to: path)
    } catch {
      unlink(part.path)
      throw error
    }
  }

  /// Throws if the file cannot be replaced at present.
  func requireWritable() throws(StoreError) {
    let folder = url.deletingLastPathComponent().path
    guard access(folder, F_OK) == 0 else {
      throw StoreError(.missingFile, "The folder of the store does not exist.", path: path)
    }
    guard access(folder, W_OK) == 0 else {
      throw StoreError(
        .permission, "The folder of the store cannot be written, and so the store cannot be saved.",
        path: path)
    }
  }

  /// Deletes the file; does nothing if the file does not exist.
  func delete() throws(StoreError) {
    guard unlink(path) != 0, errno != ENOENT else { return }
    throw StoreError(
      .permission, "The store cannot be deleted: \(String(cString: strerror(errno))).", path: path)
  }

  /// The current identity of the file, which changes when another process or coordinator replaces
  /// the file; nil if the file does not exist.
  var stamp: Stamp? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Stamp(
      number: UInt64(status.st_ino), size: Int64(status.st_size), seconds: Int64(time.tv_sec),
      nanoseconds: Int64(time.tv_nsec))
  }

  /// The inode number, size and modification time of a file at one moment.
  struct Stamp: Hashable, Sendable {
    let number: UInt64
    let size: Int64
    let seconds: Int64
    let nanoseconds: Int64
  }
}
