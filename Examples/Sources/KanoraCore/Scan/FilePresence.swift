import Foundation

/// Checks whether files exist.
///
/// Stateless.
enum FilePresence {
  /// Returns whether a path certainly has no file. The files of a folder without read permission are hidden, not gone.
  static func isGone(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }
}
