/// Why a request to the forum failed.
///
/// A value. Its description names the path asked for, never the values sent.
public struct ClientError: Error, Sendable, CustomStringConvertible {
  /// The stable name of what went wrong.
  public enum Code: String, Sendable {
    /// There is no way to the site: no network, no such host, connection refused or lost.
    case offline
    /// The site did not answer in time.
    case timeout
    /// The task that asked was cancelled.
    case cancelled
    /// The site answered with a status of 400 or above.
    case httpStatus
    /// The site led on more often than is followed.
    case tooManyRedirects
    /// The site led to another host, which is never followed.
    case foreignRedirect
    /// A page's form or link leads to another host, which is never asked.
    case foreignAddress
    /// An address cannot be formed or read.
    case malformedAddress
    /// The answer is larger than the limit.
    case bodyTooLarge
    /// The answer ended before its stated length.
    case incompleteBody
    /// The answer is neither markup nor JSON.
    case notAForumPage
    /// The transfer failed otherwise.
    case transferFailed
    /// The cookie file cannot be read or written.
    case cookieFile
  }

  /// The stable name of what went wrong.
  public let code: Code
  /// One sentence for people.
  public let message: String
  /// The path that was asked for.
  public let path: String?
  /// The status the site answered with.
  public let status: Int?
  /// How long the site asks to wait before the next try, in seconds.
  public let retryAfterInSeconds: Int?
  /// The page that came with an error status; it may be one of the site's error pages.
  public let page: FetchedPage?
  /// The error below.
  public let underlying: (any Error)?
  /// Whether there was no connection over which anything could be sent.
  let hasNoConnection: Bool
  /// Whether the site had answered the request, and led to another page.
  private(set) var hasFollowedRedirect = false

  /// The error of a page to which the answer to another request has led.
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

  /// Whether the same request may well succeed later.
  public var isTransient: Bool {
    switch code {
    case .offline, .timeout, .incompleteBody, .transferFailed: true
    case .httpStatus: status.map { $0 == 429 || $0 >= 500 } ?? false
    default: false
    }
  }

  /// Whether the site may have received the request although it failed, so that sending a form again could do twice what it does.
  public var mayHaveArrived: Bool {
    if hasFollowedRedirect { return true }
    return switch code {
    case .foreignAddress, .malformedAddress: false
    case .httpStatus: status.map { $0 >= 500 } ?? true
    default: !hasNoConnection
    }
  }

  /// The sentence, the path and the code in one line.
  public var description: String {
    "\(path.map { "\($0): " } ?? "")\(message) [\(code.rawValue)]"
  }
}
