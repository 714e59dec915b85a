/// Something that goes wrong on purpose with the answers to some requests.
public struct Fault: Codable, Sendable, Hashable {
  /// What goes wrong.
  public enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
    /// An error status with a short page; `amount` is the status, 500 without one.
    case status
    /// The answer starts late; `amount` in milliseconds, 1,000 without one.
    case delay
    /// No answer until the fault is cleared or the server stops.
    case stall
    /// The body comes slowly; `amount` in bytes per second, 1,000 without one.
    case drip
    /// The address redirects to itself for ever.
    case redirectLoop = "redirect-loop"
    /// The connection is closed in the body; `amount` in bytes, half of the body without one. The
    /// length announced is that of the whole body.
    case cutBody = "cut-body"
    /// The body ends early and the length announced agrees with that; `amount` as for `cutBody`.
    case shortBody = "short-body"
    /// No body at all, with status 200.
    case emptyBody = "empty-body"
    /// The right page with filler; `amount` in bytes, 20 MB without one.
    case hugePage = "huge-page"
    /// A page of nested elements; `amount` is their number, 100,000 without one.
    case deepNesting = "deep-nesting"
    /// The right body under the type `application/octet-stream`.
    case wrongContentType = "wrong-content-type"
    /// The page of an unavailable database; `amount` is the status, 503 without one.
    case databaseUnavailable = "database-unavailable"
    /// The page of another network, with status 200.
    case captivePortal = "captive-portal"
    /// A page with the five bytes that windows-1252 does not use.
    case unusedBytes = "unused-bytes"
    /// JSON where a page is expected.
    case jsonInstead = "json-instead"
    /// A page where JSON is expected.
    case htmlInstead = "html-instead"
    /// The log-in cookies are withdrawn with the answer.
    case dropCookies = "drop-cookies"
    /// The address redirects to another host.
    case otherHost = "other-host"
    /// The body comes in chunks and the connection closes before the last one; `amount` in bytes of
    /// the body, all of it without one.
    case badChunks = "bad-chunks"
    /// The right body, compressed.
    case gzip
    /// The first post or thread of the page comes twice, id included.
    case duplicateIDs = "duplicate-ids"
    /// The first thread of a list comes a second time at its end.
    case threadTwice = "thread-twice"
    /// The site's clock goes back before the answer; `amount` in seconds, 3,600 without one.
    case clockBack = "clock-back"
    /// The request takes effect, and the connection closes before any of the answer's body.
    case lostAnswer = "lost-answer"
  }

  public let kind: Kind
  /// The page concerned, such as `showthread.php`; `nil` means every page.
  public let path: String?
  /// The name of the account concerned; `nil` means every account and guests.
  public let user: String?
  /// The share of matching requests that fail, in percent; `nil` means all of them.
  public let share: Int?
  /// How many matching requests pass untouched first.
  public let after: Int?
  /// How many requests fail; `nil` means all until the fault is cleared.
  public let times: Int?
  /// The size of the trouble, in the unit of its kind.
  public let amount: Int?

  /// Makes a fault.
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
