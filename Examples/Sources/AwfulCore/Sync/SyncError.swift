import ForumClient
import ForumHTML
import ForumScraping

/// Why a sync ended early; everything stored until then stays.
public struct SyncError: Error, Sendable, CustomStringConvertible {
  /// The stable name of what went wrong.
  public enum Code: String, Sendable {
    /// A page could not be fetched: the error below is a `ClientError`.
    case network
    /// An answer was no page of the forum, or not the one asked for: see the `PageError` below.
    case page
    /// The site reported an error: see the `ForumErrorPage` below.
    case site
    /// A page could not be stored.
    case store
    /// The site ended the log-in.
    case loggedOut
    /// The log-in is another reader's than the one whose marks and bookmarks the store holds.
    case otherReader
    /// The task was cancelled.
    case cancelled
  }

  /// The stable name of what went wrong.
  public let code: Code
  /// The part of the sync.
  public let phase: SyncPhase
  /// What was asked for, in words.
  public let subject: String
  /// The error below.
  public let underlying: (any Error)?

  init(_ error: any Error, _ phase: SyncPhase, _ subject: String) {
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

  /// What went wrong and what helps, in a sentence for readers; `description` names page and codes.
  public var sentence: String {
    switch (code, underlying) {
    case (.loggedOut, _): "The site has ended the log-in. Log in again."
    case (.otherReader, _):
      "The store holds the marks and bookmarks of another reader. Use another store for this log-in."
    case (_, let error as ClientError): error.message
    case (_, let error as ForumErrorPage): "The site says: \(error)"
    case (.page, _): "The site answered with something else than its pages. Try later."
    case (.cancelled, _): "The sync was cancelled."
    default: "What the site sent could not be stored."
    }
  }

  /// The subject, the error below and the code in one line.
  public var description: String {
    let reason = underlying.map { "\($0)" } ?? sentence
    return "\(phase.rawValue), \(subject): \(reason) [\(code.rawValue)]"
  }
}
