public import Foundation

/// What tells one state of a file from a later one without opening it.
///
/// A value.
public struct FileStamp: Sendable, Hashable {
  /// The size in bytes.
  public let size: Int64
  /// When the content was last written.
  public let modified: Date

  /// Makes a stamp.
  ///
  /// - Parameters:
  ///   - size: The size in bytes.
  ///   - modified: When the content was last written.
  public init(size: Int64, modified: Date) {
    self.size = size
    self.modified = modified
  }

  /// The stamp of a file as it is now.
  ///
  /// - Parameter url: The file; a link is followed.
  /// - Throws: `AudioFileError` when there is none, or it may not be looked at.
  public init(of url: URL) throws(AudioFileError) {
    var status = stat()
    guard stat(url.path, &status) == 0 else { throw AudioFileError(system: errno, path: url.path) }
    self.init(status)
  }

  init(_ status: stat) {
    size = Int64(status.st_size)
    modified = Date(
      timeIntervalSince1970: Double(status.st_mtim.tv_sec)
        + Double(status.st_mtim.tv_nsec) / 1_000_000_000)
  }
}
