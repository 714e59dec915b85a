import ForumClient
import ForumHTML
import ForumScraping

/// Why something that the reader asked of the site while waiting was not done.
public struct SiteRequestError: Error, Sendable, CustomStringConvertible {
  /// The stable name of what went wrong.
  public enum Code: String, Sendable {
    /// There is no log-in.
    case notLoggedIn
    /// The site has ended the log-in.
    case loggedOut
    /// The log-in is another reader's than the one whose messages the store holds.
    case otherReader
    /// The site cannot be reached, and nothing was done: the error below is a `ClientError`.
    case network
    /// The site's answer was no page of the forum, or not the one asked for: see the `PageError` below.
    case page
    /// The site refused: see the `ForumErrorPage` below.
    case refused
    /// A form was sent, and no answer tells whether it arrived.
    case unclear
    /// The site's form lacks a field that is needed.
    case form
    /// What the reader has entered lacks something.
    case incomplete
    /// The site does not have what was asked for.
    case missing
    /// What was fetched could not be stored.
    case store
  }

  /// The stable name of what went wrong.
  public let code: Code
  /// What happened and what helps, in a sentence or two.
  public let message: String
  /// The error below.
  public let underlying: (any Error)?

  init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlying = underlying
  }

  /// Explains an error of a request that changes nothing on the site.
  init(_ error: any Error) {
    switch error {
    case let error as SiteRequestError: self = error
    case let error as ClientError:
      self.init(
        .network, "\(error.message) What is stored can be read meanwhile; try again later.",
        underlying: error)
    case let error as ForumErrorPage: self.init(refusal: error)
    case let error as PageError:
      self.init(
        .page, "The site answered with something else than its page. Try again later.",
        underlying: error)
    default:
      self.init(
        .store, "What the site sent could not be stored. Run awful doctor to check the store.",
        underlying: error)
    }
  }

  /// Does work for the reader, and explains what it throws.
  static func explaining<Result>(
    isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Result
  ) async throws -> Result {
    do { return try await work() } catch { throw SiteRequestError(error) }
  }

  private init(refusal: ForumErrorPage) {
    switch refusal.kind {
    case .mustRegister:
      self.init(.loggedOut, Self.loggedOutMessage, underlying: refusal)
    case .databaseUnavailable:
      self.init(
        .network, "The site is out of order: \(refusal). Try again later.", underlying: refusal)
    case .ignoreRejected:
      let name = refusal.rejectedName ?? "This member"
      self.init(
        .refused,
        "\(name) is a moderator or an administrator, whom the site does not let anyone ignore.",
        underlying: refusal)
    default:
      self.init(.refused, "The site says: \(refusal)", underlying: refusal)
    }
  }

  private static let loggedOutMessage = "The site has ended the log-in. Log in again."

  static let loggedOut = SiteRequestError(.loggedOut, loggedOutMessage)

  /// The sentence and the code in one line.
  public var description: String { "\(message) [\(code.rawValue)]" }
}
