import Foundation

/// Why the reader's store cannot be used.
public struct ForumStoreError: Error, Sendable, CustomStringConvertible {
  /// The stable name of what went wrong.
  public enum Code: String, Sendable {
    /// There is no store at the path.
    case missingStore
    /// The store is there but cannot be opened, or cannot be made.
    case notOpened
    /// The store holds no such thread or forum.
    case notFound
  }

  /// The stable name of what went wrong.
  public let code: Code
  /// One sentence for people.
  public let message: String
  /// The store's file.
  public let path: String?
  /// The error below.
  public let underlying: (any Error)?

  init(
    _ code: Code, _ message: String, path: String? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.underlying = underlying
  }

  /// The error for something that is not stored.
  ///
  /// - Parameters:
  ///   - what: What it is, in one word.
  ///   - id: Its id on the site.
  public static func missing(_ what: String, _ id: String) -> ForumStoreError {
    ForumStoreError(.notFound, "The store holds no \(what) \(id).")
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
