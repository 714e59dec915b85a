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

  init(_ url: URL) { self.url = URL(fileURLWithPath: StorePath.resolved(url.path)) }

  var path: String { url.path }

  /// The contents of a file, and the stamp that the file had when they were read.
  struct Contents: Sendable {
    let data: Data
    let stamp: Stamp
  }

  /// Returns the file's contents; nil if the file does not exist.
  ///
  /// - Throws: `StoreError` with code `.obstructed` if the path is not a regular file, or with
  ///   code `.permission` or `.inputOutput` if the file cannot be read.
  func read() throws(StoreError) -> Contents? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw StoreError(
        errno == EACCES ? .permission : .inputOutput,
        "The store file cannot be read: \(String(cString: strerror(errno))).", path: path)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(
        .obstructed, "The store's path does not refer to a regular file.",
        path: path)
    }
    do {
      // The stamp is never newer than the contents, so no later replacement of the file has it.
      return Contents(data: try Data(contentsOf: url), stamp: Stamp(status))
    } catch {
      throw StoreError(
        access(path, R_OK) == 0 ? .inputOutput : .permission,
        "The store file cannot be read. Check its permissions.", path: path, underlying: error)
    }
  }

  /// Writes a temporary file, synchronizes the temporary file to disk, and replaces the old file.
  ///
  /// - Parameters:
  ///   - data: The new contents.
  ///   - expected: The stamp of the contents that the new contents replace; nil if there was no
  ///     file.
  ///   - timeout: The maximum time to wait for other coordinators and processes that replace the
  ///     file, in seconds.
  /// - Returns: The stamp of the new contents.
  /// - Throws: `StoreError` with code `.versionConflict` if the file no longer has the expected
  ///   stamp, `.locked` after the timeout, or another `StoreError` if the file cannot be written;
  ///   the old file then remains unchanged.
  func write(
    _ data: Data, replacing expected: Stamp?, timeout: TimeInterval
  ) throws(StoreError) -> Stamp? {
    let folder = url.deletingLastPathComponent()
    guard access(folder.path, F_OK) == 0 else {
      throw StoreError(
        .missingFolder, "The folder for the store does not exist. Create it first.", path: path)
    }
    let part = AtomicFile(
      folder.appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString).part"))
    do throws(StoreError) {
      let result: Result<Void, StoreError> = data.withUnsafeBytes { bytes in
        do throws(StoreError) {
          return .success(try FileSync.write(bytes, toNewFile: part.path))
        } catch {
          return .failure(error)
        }
      }
      try result.get()
      let old: Stamp
      if let expected { old = expected } else { old = try claim() }
      guard let lock = try FileLock.wait(forFileAt: path, timeout: timeout) else { throw conflict }
      defer { lock.release() }
      return try replace(with: part, expecting: old)
    } catch {
      unlink(part.path)
      throw error
    }
  }

  /// Creates an empty file, and returns its stamp. If two coordinators or processes create a store
  /// at the same time, both receive the same stamp, and only one of them replaces the empty file.
  ///
  /// - Throws: `StoreError` with code `.versionConflict` if there is a file that is not empty.
  private func claim() throws(StoreError) -> Stamp {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw StoreError(
        errno == EACCES ? .permission : .inputOutput,
        "The store cannot be created: \(String(cString: strerror(errno))).", path: path)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size == 0 else { throw conflict }
    return Stamp(status)
  }

  /// Renames a complete new file, so that it replaces this file. Requires the lock of this file.
  ///
  /// - Returns: The stamp of the new contents.
  /// - Throws: `StoreError` with code `.versionConflict` if this file does not have the expected
  ///   stamp, or with code `.inputOutput` if the new file cannot be renamed.
  func replace(with new: AtomicFile, expecting expected: Stamp?) throws(StoreError) -> Stamp? {
    guard stamp == expected else { throw conflict }
    var status = stat()
    // The new file gets the permissions of the old file.
    if stat(path, &status) == 0 { chmod(new.path, status.st_mode & 0o7777) }
    // The lock is that of the old file, so others can replace the new file once it has its name.
    let renewed = new.stamp
    try FileSync.rename(new.path, to: path)
    return renewed
  }

  /// Runs work, and runs it again if another coordinator or process creates or replaces the file
  /// during the work.
  ///
  /// - Throws: The error of the work; `StoreError` with code `.versionConflict` only after many
  ///   attempts.
  static func retrying<Result>(
    _ work: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    for _ in 1..<attemptLimit {
      do throws(StoreError) { return try work() } catch {
        guard error.code == .versionConflict else { throw error }
      }
    }
    return try work()
  }

  private static let attemptLimit = 100

  /// The error for a file that does not have the expected stamp.
  var conflict: StoreError {
    StoreError(
      .versionConflict,
      "The store file was replaced or deleted after the store was opened. To save the changes, remove the store and add "
        + "it again.", path: path)
  }

  /// Throws if the file cannot be replaced at present.
  func requireWritable() throws(StoreError) {
    let folder = url.deletingLastPathComponent().path
    guard access(folder, F_OK) == 0 else {
      throw StoreError(.missingFolder, "The store's folder does not exist.", path: path)
    }
    guard access(folder, W_OK) == 0 else {
      throw StoreError(
        .permission,
        "The store cannot be saved because its folder is not writable. Check the folder's permissions.",
        path: path)
    }
  }

  /// Deletes the file; does nothing if the file does not exist.
  func delete() throws(StoreError) {
    guard unlink(path) != 0, errno != ENOENT else { return }
    throw StoreError(
      .permission,
      "The store file cannot be deleted: \(String(cString: strerror(errno))).", path: path)
  }

  /// Deletes the new store that a killed migration left, if no migration of the store is running.
  func removeUnfinishedStore() {
    let name = ".\(url.lastPathComponent).migrating"
    let unfinished = url.deletingLastPathComponent().appendingPathComponent(name)
    guard access(unfinished.path, F_OK) == 0,
      // A migration holds the lock. If the lock is held, the file is deleted another time.
      let lock = try? FileLock.wait(forFileAt: path, timeout: 0)
    else { return }
    defer { lock.release() }
    if lock.isEffective { unlink(unfinished.path) }
  }

  /// The current identity of the file, which changes when another process or coordinator replaces
  /// the file; nil if the file does not exist.
  var stamp: Stamp? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Stamp(status)
  }

  /// The inode number, size and modification time of a file at one moment.
  struct Stamp: Hashable, Sendable {
    let number: UInt64
    let size: Int64
    let seconds: Int64
    let nanoseconds: Int64

    fileprivate init(_ status: stat) {
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      number = UInt64(status.st_ino)
      size = Int64(status.st_size)
      seconds = Int64(time.tv_sec)
      nanoseconds = Int64(time.tv_nsec)
    }
  }
}
