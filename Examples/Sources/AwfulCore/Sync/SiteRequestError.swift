import ForumClient
import ForumHTML
import ForumScraping

/// The reason why a request that the reader made to the site failed.
public struct SiteRequestError: Error, Sendable, CustomStringConvertible {
  /// The stable name of the error condition.
  public enum Code: String, Sendable {
    /// No reader is logged in.
    case notLoggedIn
    /// The site has ended the login.
    case loggedOut
    /// The login belongs to a reader other than the reader of the messages in the store.
    case otherReader
    /// The site cannot be reached, and nothing was changed. The underlying error is a `ClientError`, or the site's outage page.
    case network
    /// The site's answer was not a page of the forum, or not the requested page. See the underlying `PageError`.
    case page
    /// The site refused the request. See the underlying `ForumErrorPage`.
    case refused
    /// A form was sent, and it is unknown whether it arrived.
    case unclear
    /// The site's form lacks a required field.
    case form
    /// The reader's input is incomplete.
    case incomplete
    /// The site does not have the requested object.
    case missing
    /// The draft was sent or discarded in the meantime, and nothing was sent.
    case gone
    /// The fetched data could not be stored.
    case store
  }

  /// The stable name of the error condition.
  public let code: Code
  /// A description of the problem and a remedy, in one or two sentences.
  public let message: String
  /// The underlying error.
  public let underlying: (any Error)?

  init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlying = underlying
  }

  /// Creates an error from the error of a request that changes nothing on the site.
  init(_ error: any Error) {
    switch error {
    case let error as SiteRequestError: self = error
    case let error as ClientError:
      self.init(
        .network, "\(error.message) You can still read stored content. Try again later.",
        underlying: error)
    case let error as ForumErrorPage: self.init(refusal: error)
    case let error as PageError:
      self.init(
        .page, "The site responded with an unexpected page. Try again later.",
        underlying: error)
    default:
      self.init(
        .store, "The site's response could not be stored. Run awful doctor to check the store.",
        underlying: error)
    }
  }

  /// Performs work for the reader, and converts the errors that it throws.
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
        .network, "The site is currently unavailable (\(refusal)). Try again later.",
        underlying: refusal)
    case .ignoreRejected:
      let name = refusal.rejectedName ?? "This member"
      self.init(
        .refused,
        "\(name) is a moderator or an administrator. The site does not allow members to ignore them.",
        underlying: refusal)
    default:
      self.init(.refused, "The site says: \(refusal)", underlying: refusal)
    }
  }

  private static let loggedOutMessage = "The site has logged you out. Log in again."

  static let loggedOut = SiteRequestError(.loggedOut, loggedOutMessage)

  /// The message and the code in one line.
  public var description: String { "\(message) [\(code.rawValue)]" }
}
