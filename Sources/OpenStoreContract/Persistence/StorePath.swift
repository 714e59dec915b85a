internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Converts all paths of a store's file, such as paths with symbolic links, to the same path.
///
/// The other files of a store (its write-ahead log, its lock file and its external values) are
/// named after this path, so that all processes find the same files.
package enum StorePath {
  /// The maximum number of links, as in the kernel.
  private static let linkLimit = 40

  /// Returns the path without links, `.` and `..`. The file does not have to exist.
  ///
  /// - Parameter path: The path of a file.
  /// - Returns: The path of the same file. If the folder of the file does not exist, the method
  ///   returns the path unchanged.
  package static func resolved(_ path: String) -> String {
    var path = path
    for _ in 0..<linkLimit {
      if let real = realPath(path) { return real }
      let url = URL(fileURLWithPath: path)
      guard let folder = realPath(url.deletingLastPathComponent().path) else { return path }
      let place = folder + (folder == "/" ? "" : "/") + url.lastPathComponent
      // A link to a file that does not exist yet: the store is the destination of the link.
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: place) else {
        return place
      }
      path = target.hasPrefix("/") ? target : folder + "/" + target
    }
    return path
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
