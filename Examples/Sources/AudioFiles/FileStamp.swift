public import Foundation

/// The size and modification time of a file, which distinguish its states without opening it.
///
/// A value.
public struct FileStamp: Sendable, Hashable {
  /// The size in bytes.
  public let size: Int64
  /// The date of the last write to the content.
  public let modified: Date

  /// Creates a stamp.
  ///
  /// - Parameters:
  ///   - size: The size in bytes.
  ///   - modified: The date of the last write to the content.
  public init(size: Int64, modified: Date) {
    self.size = size
    self.modified = modified
  }

  /// Reads the current stamp of a file.
  ///
  /// - Parameter url: The file; symbolic links are followed.
  /// - Throws: `AudioFileError` if the file does not exist or cannot be accessed.
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
