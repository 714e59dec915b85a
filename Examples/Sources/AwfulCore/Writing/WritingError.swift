/// Why a draft cannot be written or sent.
public struct WritingError: Error, Sendable, CustomStringConvertible {
  /// The stable name of what went wrong.
  public enum Code: String, Sendable {
    /// There is no such draft: it was sent or discarded meanwhile.
    case missing
    /// The draft has a kind or a state that this program does not know.
    case unreadable
    /// The draft was written elsewhere meanwhile: see `stored`.
    case changedElsewhere
    /// The draft is on its way to the site, and is not written meanwhile.
    case onItsWay
    /// The draft has no text, or a new thread no title.
    case empty
    /// The draft has no earlier text to go back to.
    case nothingToUndo
    /// The site is not followed, or the reader is not logged in.
    case notLoggedIn
    /// The site's form has no field for what the reader has written.
    case form
  }

  /// The stable name of what went wrong.
  public let code: Code
  /// What happened and what helps, in a sentence.
  public let message: String
  /// The draft as it is stored, for `changedElsewhere`.
  public let stored: DraftRow?

  init(_ code: Code, _ message: String, stored: DraftRow? = nil) {
    self.code = code
    self.message = message
    self.stored = stored
  }

  /// The sentence and the code in one line.
  public var description: String { "\(message) [\(code.rawValue)]" }
}
