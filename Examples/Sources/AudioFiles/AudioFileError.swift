import Foundation

/// An error that prevents reading an audio file, folder or picture, or writing tags.
///
/// A value.
public struct AudioFileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A stable error code.
  public enum Code: String, Sendable, CaseIterable {
    /// Nothing exists at the path, or it is a link that is broken or circular.
    case missing
    /// The user does not have permission to read the file or folder.
    case notPermitted
    /// The path is a folder, a device or a pipe.
    case notAFile
    /// The path is not a folder.
    case notAFolder
    /// The file has no bytes.
    case empty
    /// The content has no supported format.
    case unsupported
    /// The file has a supported format but is truncated, or its parts are inconsistent.
    case damaged
    /// Reading the tags would take too many resources.
    case tooLarge
    /// The file was written to while it was read.
    case changing
    /// The name is not in UTF-8.
    case unreadableName
    /// The system or the tag reader failed.
    case unreadable
    /// New tags cannot be written. The file is unchanged.
    case unwritable
  }

  /// The stable error code.
  public let code: Code
  /// The file's or folder's path.
  public let path: String
  /// A message for the user in one or two sentences: what happened, and what to do.
  public let message: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The stable error code.
  ///   - path: The file's or folder's path.
  ///   - message: A message for the user: what happened, and what to do.
  public init(_ code: Code, path: String, _ message: String) {
    self.code = code
    self.path = path
    self.message = message
  }

  /// Creates the error for a failed system call on a file.
  init(system number: Int32, path: String) {
    switch number {
    case ENOENT, ENOTDIR:
      self.init(.missing, path: path, "The file does not exist, or is a broken symbolic link.")
    case ELOOP:
      self.init(
        .missing, path: path,
        "The path contains a circular symbolic link. Remove the link, or change its target.")
    case EACCES, EPERM:
      self.init(
        .notPermitted, path: path,
        "You do not have permission to read the file or folder. Change its permissions.")
    case EISDIR:
      self.init(.notAFile, path: path, "The path is a folder, not a file.")
    default:
      let reason = String(cString: strerror(number))
      self.init(.unreadable, path: path, "The file or folder could not be read: \(reason).")
    }
  }

  static func damaged(_ path: String, _ message: String) -> AudioFileError {
    AudioFileError(
      .damaged, path: path, "\(message) Replace the file with an intact copy.")
  }

  /// Creates the error for a failed system call while tags are written.
  static func unwritable(system number: Int32, path: String) -> AudioFileError {
    let reason = String(cString: strerror(number))
    return AudioFileError(
      .unwritable, path: path,
      "The tags could not be written: \(reason). Check the folder's permissions and free space.")
  }

  /// The path, the message and the code in one line.
  public var description: String { "\(path): \(message) [\(code.rawValue)]" }
}
