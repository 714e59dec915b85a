import ForumClient
import ForumHTML
import ForumScraping

/// The requests that an error concerns: only the failed one, or all requests to the site.
enum FailureScope {
  /// The site refuses the requested page. Other pages may be accessible.
  case refusedPage
  /// The site's answer to the request cannot be read. Other pages may be readable.
  case unreadablePage
  /// The connection, the site as a whole, the login or the store failed, so further requests would fail too.
  case everything

  init(_ error: any Error) {
    self =
      switch error {
      case let error as ForumErrorPage: Self.scope(of: error)
      case let error as ClientError: Self.scope(of: error)
      case is PageError: .unreadablePage
      default: .everything
      }
  }

  private static func scope(of error: ForumErrorPage) -> FailureScope {
    switch error.kind {
    case .databaseUnavailable, .banned: .everything
    default: .refusedPage
    }
  }

  private static func scope(of error: ClientError) -> FailureScope {
    if let status = error.status, [403, 404, 410].contains(status) { return .refusedPage }
    return switch error.code {
    case .bodyTooLarge, .notAForumPage, .tooManyRedirects, .foreignRedirect, .foreignAddress,
      .malformedAddress:
      .unreadablePage
    default: .everything
    }
  }
}

/// The unreadable pages since the last readable one.
struct FailureStreak {
  /// The number of unreadable pages in a row after which further requests are pointless, because the site apparently sends no pages of the
  /// forum at all.
  private static let unreadablePageLimit = 3

  private var unreadablePageCount = 0

  /// Ends the streak, after a readable page.
  mutating func end() { unreadablePageCount = 0 }

  /// Records a failed request. A refused page neither extends nor ends the streak.
  ///
  /// - Parameter scope: The requests that the failure concerns.
  /// - Returns: Whether further requests are pointless.
  mutating func endsRequests(_ scope: FailureScope) -> Bool {
    switch scope {
    case .everything: return true
    case .refusedPage: return false
    case .unreadablePage:
      unreadablePageCount += 1
      return unreadablePageCount >= Self.unreadablePageLimit
    }
  }
}

extension ForumErrorPage {
  /// Whether the site would refuse the same request again. It may accept the request after a login, or when a ban or an outage has ended.
  var isFinal: Bool {
    switch kind {
    case .databaseUnavailable, .mustRegister, .banned: false
    default: true
    }
  }
}
