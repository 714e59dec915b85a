import Foundation
import OpenStoreContract

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The mark of a copy that does not have its final name yet.
///
/// The mark is locked while the copy is being made. The lock belongs to the open file, so other
/// threads of this process find it too, and the kernel releases the lock of a killed process.
/// Confined to the copy, which removes the mark.
final class CopyMark {
  private let files: ExternalFiles
  private let name: String
  private let descriptor: Int32

  /// Creates a mark on disk and locks it.
  ///
  /// - Parameter files: The external files of the copy.
  init(in files: ExternalFiles) throws(StoreError) {
    self.files = files
    name = try files.makeMark()
    let path = files.path(ofMark: name)
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      files.remove(mark: name)
      throw StoreError(.inputOutput, "A file cannot be opened: \(reason).", path: path)
    }
    // A thread that checks the mark locks it only for a moment.
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Removes the mark after the copy received its final name, or after its files were deleted.
  func remove() { files.remove(mark: name) }

  /// Returns whether a copy is being made that created the mark at a path.
  ///
  /// The result is true if the file system does not support locks, so that no file of a copy is
  /// deleted.
  static func isLocked(_ path: String) -> Bool {
    // Network file systems lock only files that are open for writing.
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return errno != ENOENT }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_SH | LOCK_NB) != 0 {
      if errno != EINTR { return true }
    }
    return false
  }
}
