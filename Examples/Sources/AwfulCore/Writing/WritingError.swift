/// The reason why a draft cannot be written or sent.
public struct WritingError: Error, Sendable, CustomStringConvertible {
  /// The stable name of the error condition.
  public enum Code: String, Sendable {
    /// The draft does not exist: it was sent or discarded in the meantime.
    case missing
    /// The draft has a kind or a state that this program does not know.
    case unreadable
    /// The draft was changed elsewhere in the meantime. See `stored`.
    case changedElsewhere
    /// The draft is on its way to the site, and cannot be changed during that time.
    case onItsWay
    /// The draft has no text, or a new thread has no title.
    case empty
    /// There is no earlier or later text to return to.
    case nothingToUndo
    /// The program does not connect to the site, or the reader is not logged in.
    case notLoggedIn
    /// The site's form has no field for the reader's text.
    case form
  }

  /// The stable name of the error condition.
  public let code: Code
  /// A description of the problem and a remedy, in a sentence.
  public let message: String
  /// The stored draft, for `changedElsewhere`.
  public let stored: DraftRow?

  init(_ code: Code, _ message: String, stored: DraftRow? = nil) {
    self.code = code
    self.message = message
    self.stored = stored
  }

  /// The message and the code in one line.
  public var description: String { "\(message) [\(code.rawValue)]" }
}
