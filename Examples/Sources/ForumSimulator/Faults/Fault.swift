/// A deliberate fault in the responses to some requests.
public struct Fault: Codable, Sendable, Hashable {
  /// The kind of a fault.
  public enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
    /// An error status with a short page; `amount` is the status, 500 by default.
    case status
    /// A late start of the response; `amount` in milliseconds, 1,000 by default.
    case delay
    /// No response until the fault is cleared or the server stops.
    case stall
    /// A slow body; `amount` in bytes per second, 1,000 by default.
    case drip
    /// An endless redirect of an address to itself.
    case redirectLoop = "redirect-loop"
    /// A connection that closes within the body; `amount` in bytes, half of the body by default. The announced length is that of
    /// the whole body.
    case cutBody = "cut-body"
    /// A body that ends early, with a matching announced length; `amount` as for `cutBody`.
    case shortBody = "short-body"
    /// An empty body, with status 200.
    case emptyBody = "empty-body"
    /// The regular page with filler; `amount` in bytes, 20 MB by default.
    case hugePage = "huge-page"
    /// A page with nested elements; `amount` is their number, 100,000 by default.
    case deepNesting = "deep-nesting"
    /// The regular body with the type `application/octet-stream`.
    case wrongContentType = "wrong-content-type"
    /// The page of an unavailable database; `amount` is the status, 503 by default.
    case databaseUnavailable = "database-unavailable"
    /// The page of another network, with status 200.
    case captivePortal = "captive-portal"
    /// A page with the five bytes that windows-1252 does not use.
    case unusedBytes = "unused-bytes"
    /// JSON instead of a page.
    case jsonInstead = "json-instead"
    /// A page instead of JSON.
    case htmlInstead = "html-instead"
    /// A response that removes the login cookies.
    case dropCookies = "drop-cookies"
    /// A redirect to another host.
    case otherHost = "other-host"
    /// A chunked body whose connection closes before the last chunk; `amount` in bytes of the body, the whole body by default.
    case badChunks = "bad-chunks"
    /// The regular body, compressed.
    case gzip
    /// The first post or thread of the page appears twice, with the same id.
    case duplicateIDs = "duplicate-ids"
    /// The first thread of a list appears again at its end.
    case threadTwice = "thread-twice"
    /// The site's clock moves back before the response; `amount` in seconds, 3,600 by default.
    case clockBack = "clock-back"
    /// The request takes effect, but the connection closes before any of the response's body is sent.
    case lostAnswer = "lost-answer"
  }

  public let kind: Kind
  /// The affected page, such as `showthread.php`; `nil` for every page.
  public let path: String?
  /// The name of the affected account; `nil` for all accounts and guests.
  public let user: String?
  /// The percentage of matching requests that fail; `nil` for all of them.
  public let share: Int?
  /// The number of matching requests that pass unaffected before the first failure.
  public let after: Int?
  /// The number of requests that fail; `nil` for all until the fault is cleared.
  public let times: Int?
  /// The extent of the fault, in the unit of its kind.
  public let amount: Int?

  /// Creates a fault.
  public init(
    _ kind: Kind, path: String? = nil, user: String? = nil, share: Int? = nil,
    after: Int? = nil, times: Int? = nil, amount: Int? = nil
  ) {
    self.kind = kind
    self.path = path
    self.user = user
    self.share = share
    self.after = after
    self.times = times
    self.amount = amount
  }
}
