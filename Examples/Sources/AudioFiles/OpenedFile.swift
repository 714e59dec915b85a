import Foundation

/// A regular file opened for reading.
///
/// Confined to the call that opens it; closed with its last reference.
final class OpenedFile {
  let path: String
  let descriptor: Int32
  /// The file's state when it was opened.
  let stamp: FileStamp

  /// Opens a file without blocking on a pipe.
  init(_ path: String) throws(AudioFileError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw AudioFileError(system: errno, path: path) }
    do {
      stamp = try Self.stamp(of: descriptor, path)
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  var size: Int { Int(stamp.size) }

  private static func stamp(
    of descriptor: Int32, _ path: String
  ) throws(AudioFileError) -> FileStamp {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw AudioFileError(system: errno, path: path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw AudioFileError(
        .notAFile, path: path, "The path is a folder, a device or a pipe, not a file.")
    }
    return FileStamp(status)
  }

  /// Throws if the file has changed since it was opened.
  func requireUnchanged() throws(AudioFileError) {
    guard try Self.stamp(of: descriptor, path) == stamp else {
      throw AudioFileError(
        .changing, path: path, "The file changed while it was being read. Scan again later.")
    }
  }

  /// Reads bytes; returns fewer at the end of the file.
  func bytes(at place: Int, count: Int) throws(AudioFileError) -> [UInt8] {
    let count = max(0, min(count, size - place))
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = pread(
          descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, place + filled)
        if got < 0 && errno == EINTR { continue }
        if got < 0 { failure = errno }
        guard got > 0 else { return }
        filled += got
      }
    }
    if failure != 0 { throw AudioFileError(system: failure, path: path) }
    return bytes
  }
}
