import Foundation
import OpenStoreContract

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files that survive a loss of power.
enum FileSync {
  /// Waits until a file, or the names in a folder, are on the disk.
  static func sync(_ path: String) throws(StoreError) {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    // Some file systems refuse this for folders, and keep their names in order without it.
    if fsync(file) != 0, errno != EINVAL { throw failure(path) }
  }

  /// Gives a complete file its name, in place of any file of that name.
  static func rename(_ path: String, to final: String) throws(StoreError) {
    #if canImport(Glibc)
      let result = Glibc.rename(path, final)
    #elseif canImport(Musl)
      let result = Musl.rename(path, final)
    #else
      let result = Darwin.rename(path, final)
    #endif
    guard result == 0 else { throw failure(final) }
    try sync(URL(fileURLWithPath: final).deletingLastPathComponent().path)
  }

  private static func failure(_ path: String) -> StoreError {
    StoreError(
      .inputOutput, "A file cannot be written: \(String(cString: strerror(errno))).", path: path)
  }
}
