import ForumClient
import ForumHTML
import ForumScraping
import Foundation

/// The reason why a sync ended early. Everything stored until then remains.
public struct SyncError: Error, Sendable, CustomStringConvertible {
  /// The stable name of the error condition.
  public enum Code: String, Sendable {
    /// A page could not be fetched. The underlying error is a `ClientError`.
    case network
    /// The site's answer was not a page of the forum, or not the requested page. See the underlying `PageError`.
    case page
    /// The site reported an error. See the underlying `ForumErrorPage`.
    case site
    /// A page could not be stored.
    case store
    /// The site ended the login.
    case loggedOut
    /// The login belongs to a reader other than the reader of the marks and bookmarks in the store.
    case otherReader
    /// The task was canceled.
    case cancelled
  }

  /// The stable name of the error condition.
  public let code: Code
  /// The phase of the sync.
  public let phase: SyncPhase
  /// A description of the request.
  public let subject: String
  /// The underlying error.
  public let underlying: (any Error)?

  package init(_ error: any Error, _ phase: SyncPhase, _ subject: String) {
    code = Self.code(for: error)
    self.phase = phase
    self.subject = subject
    underlying = error
  }

  init(_ code: Code, _ phase: SyncPhase, _ subject: String) {
    self.code = code
    self.phase = phase
    self.subject = subject
    underlying = nil
  }

  private static func code(for error: any Error) -> Code {
    switch error {
    case let error as ClientError: error.code == .cancelled ? .cancelled : .network
    case is CancellationError: .cancelled
    case is PageError: .page
    case is ForumErrorPage: .site
    default: .store
    }
  }

  /// A description of the problem and a remedy, in one sentence for readers. `description` also contains the page and the codes.
  public var sentence: String {
    switch (code, underlying) {
    case (.loggedOut, _): "The site has logged you out. Log in again."
    case (.otherReader, _):
      "The store contains the read marks and bookmarks of another user. Use a different store for this login."
    case (_, let error as ClientError): error.message
    case (_, let error as ForumErrorPage): "The site says: \(error)"
    case (.page, _): "The site responded with an unexpected page. Try again later."
    case (.cancelled, _): "The sync was canceled."
    default: "The site's response could not be stored."
    }
  }

  /// The phase, the subject, the underlying error, and the code in one line.
  public var description: String {
    let reason =
      underlying.map { ($0 as? CocoaError)?.localizedDescription ?? "\($0)" } ?? sentence
    return "\(phase.rawValue), \(subject): \(reason) [\(code.rawValue)]"
  }
}
