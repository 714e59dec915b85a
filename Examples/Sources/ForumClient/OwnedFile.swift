import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A small file that only its owner can read and that several programs change in turn, each time replacing the whole file.
///
/// A value.
struct OwnedFile: Sendable {
  /// A state of the file, identified by its inode, size and modification time.
  struct Version: Equatable, Sendable {
    let inode: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int

    init(_ status: stat) {
      inode = UInt64(status.st_ino)
      size = Int64(status.st_size)
      seconds = Int(status.st_mtim.tv_sec)
      nanoseconds = Int(status.st_mtim.tv_nsec)
    }
  }

  let path: String
  private static let sizeLimit = 1 << 20

  var name: String { URL(fileURLWithPath: path).lastPathComponent }
  private var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

  /// Returns the file's current version; nil if the file does not exist.
  ///
  /// - Throws: `POSIXError`.
  func version() throws -> Version? {
    var status = stat()
    if stat(path, &status) == 0 { return Version(status) }
    if errno == ENOENT { return nil }
    throw lastError()
  }

  /// Returns the file's bytes.
  ///
  /// - Throws: `POSIXError`, also if the file is not a regular file or is larger than the limit of 1 MiB.
  func read() throws -> Data {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw lastError() }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw lastError() }
    guard status.st_mode & S_IFMT == S_IFREG else { throw POSIXError(.EINVAL) }
    guard status.st_size <= Self.sizeLimit else { throw POSIXError(.EFBIG) }
    return try handle.readToEnd() ?? Data()
  }

  /// Replaces the file with a new file that only its owner can read.
  ///
  /// The new file is written under an unpredictable name that must not exist, so that another user cannot put a file in its place.
  ///
  /// - Returns: The version of the new file.
  /// - Throws: `POSIXError` or the error of writing; the old file then stays in place.
  func replace(with data: Data) throws -> Version {
    let partial = "\(path).\(UUID().uuidString)"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw lastError() }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: data)
      var status = stat()
      guard fsync(descriptor) == 0, fstat(descriptor, &status) == 0, rename(partial, path) == 0
      else { throw lastError() }
      return Version(status)
    } catch {
      unlink(partial)
      throw error
    }
  }

  /// Runs work under a lock that excludes other programs; the lock is on the folder, so that no lock file is left behind.
  ///
  /// - Throws: `POSIXError`, or any error of `work`.
  func withLock<Result>(_ work: () throws -> Result) throws -> Result {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw lastError() }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw lastError() }
    }
    return try work()
  }

  private func lastError() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
