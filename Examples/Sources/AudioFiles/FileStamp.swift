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

  init(_ status: stat) {
    size = Int64(status.st_size)
    modified = Date(
      timeIntervalSince1970: Double(status.st_mtim.tv_sec)
        + Double(status.st_mtim.tv_nsec) / 1_000_000_000)
  }
}
