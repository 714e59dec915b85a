internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// File operations whose results survive a loss of power.
package enum FileSync {
  /// Waits until the contents of a file, or the file names in a folder, are on the disk.
  ///
  /// - Throws: `StoreError` with code `.inputOutput` if the file or folder cannot be opened or
  ///   written.
  package static func sync(_ path: String) throws(StoreError) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    try sync(file, path)
  }

  private static func sync(_ file: Int32, _ path: String) throws(StoreError) {
    // Some file systems do not support this call for folders, but write file names in the correct
    // order without this call.
    if fsync(file) != 0, errno != EINVAL { throw failure(path) }
  }

  /// Writes a new file, and waits until its contents, but not its name, are on the disk.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - path: The path of the file.
  /// - Throws: `StoreError` with code `.inputOutput` if the file exists or cannot be written.
  package static func write(
    _ bytes: UnsafeRawBufferPointer, toNewFile path: String
  ) throws(StoreError) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    var offset = 0
    while offset < bytes.count, let start = bytes.baseAddress {
      let count = pwrite(file, start + offset, bytes.count - offset, off_t(offset))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(path) }
      offset += count
    }
    if fsync(file) != 0 { throw failure(path) }
  }

  /// Renames a complete file, replacing any file with the final name, and waits until the new name
  /// is on the disk.
  ///
  /// - Parameters:
  ///   - path: The current path of the file.
  ///   - final: The final path, which is in the same file system.
  /// - Throws: `StoreError` with code `.inputOutput` if the operation fails. If the disk fails
  ///   while the new name is being written, the file already has its final name; after any other
  ///   error, no name has changed.
  package static func rename(_ path: String, to final: String) throws(StoreError) {
    let folder = URL(fileURLWithPath: final).deletingLastPathComponent().path
    let names = open(folder, O_RDONLY | O_CLOEXEC)
    guard names >= 0 else { throw failure(folder) }
    defer { close(names) }
    #if canImport(Glibc)
      let result = Glibc.rename(path, final)
    #elseif canImport(Musl)
      let result = Musl.rename(path, final)
    #else
      let result = Darwin.rename(path, final)
    #endif
    guard result == 0 else { throw failure(final) }
    try sync(names, folder)
  }

  private static func failure(_ path: String) -> StoreError {
    StoreError(
      .inputOutput, "A file cannot be written: \(String(cString: strerror(errno))).", path: path)
  }
}
