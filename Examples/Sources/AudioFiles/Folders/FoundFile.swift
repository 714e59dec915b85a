public import Foundation

/// A file found by a folder walk.
///
/// A value.
public struct FoundFile: Sendable, Hashable {
  /// The path, which starts with the path of the walked folder.
  public let path: String
  /// The file's state, read without opening the file.
  public let stamp: FileStamp

  /// Creates a found file.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - stamp: The file's state.
  public init(path: String, stamp: FileStamp) {
    self.path = path
    self.stamp = stamp
  }

  /// The file's URL.
  public var url: URL { URL(fileURLWithPath: path) }
}
