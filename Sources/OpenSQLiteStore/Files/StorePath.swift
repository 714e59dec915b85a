import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The one path of a store's file, whatever links and forms of it an application uses.
///
/// All files of a store (its log, its lock file, its external values) are named after this path, so all processes
/// find the same files.
enum StorePath {
  /// As many links as the kernel follows.
  private static let linkLimit = 40

  /// The path without links, `.` and `..`; the file need not exist.
  static func resolved(_ path: String) -> String {
    var path = path
    for _ in 0..<linkLimit {
      if let real = realPath(path) { return real }
      let url = URL(fileURLWithPath: path)
      guard let folder = realPath(url.deletingLastPathComponent().path) else { return path }
      let place = folder + (folder == "/" ? "" : "/") + url.lastPathComponent
      // A link to a file that does not exist yet: SQLite makes the file where the link points.
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
