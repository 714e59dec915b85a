import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A small file that only its owner may read, replaced as a whole, which several programs change in turn.
///
/// A value.
struct OwnedFile: Sendable {
  /// Tells one state of the file from another.
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

  /// The file's present state; nil when there is none.
  ///
  /// - Throws: `POSIXError`.
  func version() throws -> Version? {
    var status = stat()
    if stat(path, &status) == 0 { return Version(status) }
    if errno == ENOENT { return nil }
    throw lastError()
  }

  /// The file's bytes.
  ///
  /// - Throws: `POSIXError`, also for something that is no plain file or larger than a file of this kind ever is.
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

  /// Replaces the file by one that only its owner may read.
  ///
  /// The new one is written under a name that cannot be foreseen and must not exist, so that nothing can be put in its
  /// place.
  ///
  /// - Returns: The state of the new file.
  /// - Throws: `POSIXError` or what writing throws; the old file stays then.
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

  /// Works while no other program does under this lock, which is on the folder, so that no file is left.
  ///
  /// - Throws: `POSIXError`, or what the work throws.
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
