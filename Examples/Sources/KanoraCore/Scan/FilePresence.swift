import Foundation

/// Whether files are there.
///
/// Stateless.
enum FilePresence {
  /// Whether there is certainly no file at a path; a folder that may not be read hides its files but does not lose them.
  static func isGone(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }
}
