import Foundation

/// An error of the library.
public struct KanoraError: Error, Sendable, CustomStringConvertible {
  /// A stable error code.
  public enum Code: String, Sendable {
    /// No store exists at the path.
    case missingStore
    /// The store exists but cannot be opened, or cannot be created.
    case notOpened
    /// The store has another version of the model and cannot be migrated.
    case notMigrated
    /// The disk is full, so that the store cannot be opened.
    case diskFull
    /// The library has no such object.
    case notFound
    /// A value is not allowed.
    case badValue
    /// There is nothing to undo or redo.
    case nothingToUndo
    /// A step cannot be undone or redone, because its values have changed since.
    case changedElsewhere
    /// The rules of a smart playlist cannot be read.
    case badRules
    /// An imported file cannot be read.
    case badFile
  }

  /// The stable error code.
  public let code: Code
  /// A message for the user: what happened, and what to do.
  public let message: String
  /// The file that the error concerns.
  public let path: String?
  /// The track field whose value is not allowed.
  public let field: TrackField?
  /// The underlying error.
  public let underlying: (any Error)?

  init(
    _ code: Code, _ message: String, path: String? = nil, field: TrackField? = nil,
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.field = field
    self.underlying = underlying
  }

  /// The path, the message, the underlying error and the code in one line.
  public var description: String {
    var line = path.map { "\($0): " } ?? ""
    line += message
    if let underlying {
      line += " \((underlying as? CocoaError)?.localizedDescription ?? "\(underlying)")"
    }
    return "\(line) [\(code.rawValue)]"
  }
}
