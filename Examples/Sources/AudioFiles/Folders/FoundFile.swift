public import Foundation

/// A file that a walk through a folder has come to.
///
/// A value.
public struct FoundFile: Sendable, Hashable {
  /// The path, which begins with that of the folder walked.
  public let path: String
  /// The state, which was read without opening the file.
  public let stamp: FileStamp

  /// Makes a found file.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - stamp: The state.
  public init(path: String, stamp: FileStamp) {
    self.path = path
    self.stamp = stamp
  }

  /// The file's address.
  public var url: URL { URL(fileURLWithPath: path) }
}
