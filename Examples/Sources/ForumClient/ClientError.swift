/// An error of a request to the forum.
///
/// A value. Its description names the requested path, never the values sent.
public struct ClientError: Error, Sendable, CustomStringConvertible {
  /// A stable name for the kind of failure.
  public enum Code: String, Sendable {
    /// The site cannot be reached: no network, an unknown host, or a refused or lost connection.
    case offline
    /// The site did not respond in time.
    case timeout
    /// The requesting task was canceled.
    case cancelled
    /// The site responded with a status of 400 or above.
    case httpStatus
    /// The site redirected more often than the client follows.
    case tooManyRedirects
    /// The site redirected to another host, which the client never follows.
    case foreignRedirect
    /// A page's form or link leads to another host, to which the client never sends a request.
    case foreignAddress
    /// An address cannot be formed or parsed.
    case malformedAddress
    /// The response is larger than the limit.
    case bodyTooLarge
    /// The response ended before its stated length.
    case incompleteBody
    /// The response is neither markup nor JSON.
    case notAForumPage
    /// The transfer failed for another reason.
    case transferFailed
    /// The cookie file cannot be read or written.
    case cookieFile
  }

  /// The stable name for the kind of failure.
  public let code: Code
  /// A one-sentence, user-readable description.
  public let message: String
  /// The requested path.
  public let path: String?
  /// The status of the site's response.
  public let status: Int?
  /// The time that the site asks the client to wait before the next attempt, in seconds.
  public let retryAfterInSeconds: Int?
  /// The page that came with an error status, which may be one of the site's error pages.
  public let page: FetchedPage?
  /// The underlying error.
  public let underlying: (any Error)?
  /// Whether the request failed before there was a connection, so that nothing was sent.
  let hasNoConnection: Bool
  /// Whether the site responded to the request with a redirect, which is invalid or whose request failed.
  private(set) var hasFollowedRedirect = false

  /// A copy of the error that marks it as the error of a redirect or of a redirected request.
  var behindRedirect: ClientError {
    var error = self
    error.hasFollowedRedirect = true
    return error
  }

  init(
    _ code: Code, _ message: String, path: String? = nil, status: Int? = nil,
    retryAfterInSeconds: Int? = nil, page: FetchedPage? = nil, underlying: (any Error)? = nil,
    hasNoConnection: Bool = false
  ) {
    self.hasNoConnection = hasNoConnection
    self.code = code
    self.message = message
    self.path = path
    self.status = status
    self.retryAfterInSeconds = retryAfterInSeconds
    self.page = page
    self.underlying = underlying
  }

  /// Whether the same request may succeed later.
  public var isTransient: Bool {
    switch code {
    case .offline, .timeout, .incompleteBody, .transferFailed: true
    case .httpStatus: status.map { $0 == 429 || $0 >= 500 } ?? false
    default: false
    }
  }

  /// Whether the site may have received the request although it failed, so that sending a form again could repeat its effect.
  public var mayHaveArrived: Bool {
    if hasFollowedRedirect { return true }
    return switch code {
    case .foreignAddress, .malformedAddress: false
    case .httpStatus: status.map { $0 >= 500 } ?? true
    default: !hasNoConnection
    }
  }

  /// The path, the message and the code in one line.
  public var description: String {
    "\(path.map { "\($0): " } ?? "")\(message) [\(code.rawValue)]"
  }
}
