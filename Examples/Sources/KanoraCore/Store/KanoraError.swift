import Foundation

/// Why the library cannot do something.
public struct KanoraError: Error, Sendable, CustomStringConvertible {
  /// The stable name of what went wrong.
  public enum Code: String, Sendable {
    /// There is no store at the path.
    case missingStore
    /// The store is there but cannot be opened, or cannot be made.
    case notOpened
    /// The store is of another version of the model and cannot be migrated.
    case notMigrated
    /// The library has no such object.
    case notFound
    /// A value is not allowed.
    case badValue
    /// There is nothing to undo or redo.
    case nothingToUndo
    /// The rules of a smart playlist cannot be read.
    case badRules
    /// A file that is imported cannot be read.
    case badFile
    /// Another program changed what was being edited.
    case changedMeanwhile
  }

  /// The stable name of what went wrong.
  public let code: Code
  /// What happened and what to do, for people.
  public let message: String
  /// The file that it is about.
  public let path: String?
  /// The field of a track whose value is not allowed.
  public let field: TrackField?
  /// The error below.
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

  /// The path, the sentence, the error below and the code in one line.
  public var description: String {
    var line = path.map { "\($0): " } ?? ""
    line += message
    if let underlying {
      line += " \((underlying as? CocoaError)?.localizedDescription ?? "\(underlying)")"
    }
    return "\(line) [\(code.rawValue)]"
  }
}
