import Foundation

/// Why an audio file, a folder or a picture cannot be read.
///
/// A value.
public struct AudioFileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The stable name of what went wrong.
  public enum Code: String, Sendable, CaseIterable {
    /// There is nothing at the path, or a link there leads nowhere or in a circle.
    case missing
    /// The user may not read it.
    case notPermitted
    /// It is a folder, a device or a pipe.
    case notAFile
    /// It is no folder.
    case notAFolder
    /// The file has no bytes.
    case empty
    /// The content is of no format that is read.
    case unsupported
    /// The file has the format but is cut, or its parts contradict each other.
    case damaged
    /// Reading the tags would take unreasonably much.
    case tooLarge
    /// The file was written to while it was read.
    case changing
    /// The name is not in UTF-8.
    case unreadableName
    /// The system or the tag reader failed.
    case unreadable
  }

  /// The stable name of what went wrong.
  public let code: Code
  /// The file's or folder's path.
  public let path: String
  /// What happened and what to do, in one or two sentences for people.
  public let message: String

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - code: The stable name of what went wrong.
  ///   - path: The file's or folder's path.
  ///   - message: What happened and what to do, for people.
  public init(_ code: Code, path: String, _ message: String) {
    self.code = code
    self.path = path
    self.message = message
  }

  /// The error of a system call on a file.
  init(system number: Int32, path: String) {
    switch number {
    case ENOENT, ENOTDIR:
      self.init(.missing, path: path, "There is no such file.")
    case ELOOP:
      self.init(.missing, path: path, "The link leads in a circle. Remove it, or link to a file.")
    case EACCES, EPERM:
      self.init(.notPermitted, path: path, "It may not be read. Change its permissions.")
    case EISDIR:
      self.init(.notAFile, path: path, "It is a folder.")
    default:
      let reason = String(cString: strerror(number))
      self.init(.unreadable, path: path, "It could not be read: \(reason).")
    }
  }

  static func damaged(_ path: String, _ message: String) -> AudioFileError {
    AudioFileError(
      .damaged, path: path, "\(message) Replace the file by a whole one.")
  }

  /// The path, the sentence and the code in one line.
  public var description: String { "\(path): \(message) [\(code.rawValue)]" }
}
