import Foundation

/// The reason why the reader's store cannot be used.
public struct ForumStoreError: Error, Sendable, CustomStringConvertible {
  /// The stable name of the error condition.
  public enum Code: String, Sendable {
    /// There is no store at the path.
    case missingStore
    /// The store exists but cannot be opened, or it cannot be created.
    case notOpened
    /// The store has an older version of the model and cannot be migrated.
    case notMigrated
    /// The store does not contain the requested object, such as a thread or a forum.
    case notFound
  }

  /// The stable name of the error condition.
  public let code: Code
  /// A one-sentence description for people.
  public let message: String
  /// The store's file.
  public let path: String?
  /// The underlying error.
  public let underlying: (any Error)?

  init(
    _ code: Code, _ message: String, path: String? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.underlying = underlying
  }

  /// Returns the error for an object that is not stored.
  ///
  /// - Parameters:
  ///   - what: The kind of object, in one word.
  ///   - id: The id on the site.
  public static func missing(_ what: String, _ id: String) -> ForumStoreError {
    ForumStoreError(.notFound, "The store contains no \(what) with the id \(id).")
  }

  /// The path, the message, the underlying error, and the code in one line.
  public var description: String {
    var line = path.map { "\($0): " } ?? ""
    line += message
    if let underlying {
      line += " \((underlying as? CocoaError)?.localizedDescription ?? "\(underlying)")"
    }
    return "\(line) [\(code.rawValue)]"
  }
}
