import ForumHTML

/// An error page of the site.
///
/// A value that can be thrown. The scraper tests every page for an error before it scrapes the page.
public struct ForumErrorPage: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of the site's error.
  public enum Kind: String, Sendable {
    /// The page requires a registered user who is logged in.
    case mustRegister
    /// The page requires the archives upgrade.
    case archivesRequired
    /// The page requires a platinum membership.
    case platinumRequired
    /// The site's database is temporarily unavailable.
    case databaseUnavailable
    /// The thread accepts no more posts.
    case threadClosed
    /// The account is banned.
    case banned
    /// A moderator or administrator cannot be ignored.
    case ignoreRejected
    /// Any other error.
    case standard
  }

  /// The kind of the site's error.
  public let kind: Kind
  /// The title of the error.
  public let title: String?
  /// The site's error message.
  public let message: String?
  /// The thread to which the page links back.
  public let threadID: String?
  /// The address of the page with the reason for a ban, as written.
  public let reasonAddress: String?
  /// The address of the page for questions about a ban, as written.
  public let helpAddress: String?
  /// The name of the user who cannot be ignored.
  public let rejectedName: String?

  /// The title and the message.
  public var description: String {
    [title, message].compactMap(\.self).joined(separator: ": ").nonEmpty ?? kind.rawValue
  }

  private init(
    _ kind: Kind, title: String? = nil, message: String? = nil, threadID: String? = nil,
    reasonAddress: String? = nil, helpAddress: String? = nil, rejectedName: String? = nil
  ) {
    self.kind = kind
    self.title = title
    self.message = message
    self.threadID = threadID
    self.reasonAddress = reasonAddress
    self.helpAddress = helpAddress
    self.rejectedName = rejectedName
  }

  /// Finds an error in a page, testing the kinds in the order that the site's pages require.
  ///
  /// - Parameter document: The page.
  /// - Returns: The error; nil if the page reports none.
  static func find(in document: HTMLDocument) throws -> ForumErrorPage? {
    let body = document.body
    if body.hasClass("database_error") { return try databaseUnavailable(document) }
    if body.hasClass("standarderror") { return try standardError(document) }
    if let closed = try threadClosed(document) { return closed }
    if body.hasClass("banned") { return try banned(document) }
    return nil
  }

  private static func databaseUnavailable(
    _ document: HTMLDocument
  ) throws -> ForumErrorPage {
    let heading = try document.first("#msg h1")
    var message: String?
    var isAfterHeading = false
    for node in heading?.parent?.nodes ?? [] {
      if case .element(let element) = node, element == heading { isAfterHeading = true }
      if isAfterHeading, case .text(let text) = node, let text = text.trimmingWhitespace.nonEmpty {
        message = text
        break
      }
    }
    return ForumErrorPage(
      .databaseUnavailable, title: heading?.trimmedText, message: message)
  }

  private static func standardError(_ document: HTMLDocument) throws -> ForumErrorPage {
    let title = try (document.first(".standard h2") ?? document.first("h2"))?.trimmedText
    let inner = try document.first(".standard .inner") ?? document.first("div.inner")
    let message = inner.map(leadingText)
    let everything = inner?.readableText ?? ""
    let kind = kind(of: message ?? "") ?? kind(of: everything) ?? .standard
    return ForumErrorPage(
      kind, title: title, message: message?.nonEmpty ?? everything.nonEmpty,
      rejectedName: kind == .ignoreRejected ? rejectedName(in: everything) : nil)
  }

  /// Returns the text of the first two nodes.
  private static func leadingText(of inner: HTMLElement) -> String {
    inner.nodes.prefix(2).map { node in
      switch node {
      case .text(let text): text
      case .element(let element): element.text
      case .comment: ""
      }
    }.joined().trimmingWhitespace
  }

  private static let ignoreComplaint = "is a moderator/admin and you are not allowed"

  private static func kind(of message: String) -> Kind? {
    let words = message.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if words.contains("must be a registered forums member") { return .mustRegister }
    if words.contains("archives upgrade") { return .archivesRequired }
    if words.contains("only accessible to Platinum members") { return .platinumRequired }
    if words.contains(ignoreComplaint) { return .ignoreRejected }
    return nil
  }

  private static func rejectedName(in message: String) -> String? {
    guard let end = message.firstRange(of: " \(ignoreComplaint)"),
      let start = message[..<end.lowerBound].firstRange(of: "Sorry ")
    else { return nil }
    return String(message[start.upperBound..<end.lowerBound]).trimmingWhitespace.nonEmpty
  }

  private static func threadClosed(_ document: HTMLDocument) throws -> ForumErrorPage? {
    // The preview of a post can contain any text.
    guard let inner = try document.first(".standard .inner"), !inner.hasClass("postbody"),
      case let text = inner.trimmedText, text.contains("This thread is closed!"),
      let mark = text.firstIndex(of: "!")
    else { return nil }
    let link = try inner.first("a[href*='threadid=']")
    let message = leadingText(of: inner)
    let rest = message.firstIndex(of: "!").map { message[message.index(after: $0)...] } ?? ""
    return ForumErrorPage(
      .threadClosed, title: String(text[...mark]),
      message: rest.trimmingWhitespace.nonEmpty ?? "This thread is closed!",
      threadID: Link.parameter("threadid", in: link?["href"]))
  }

  private static func banned(_ document: HTMLDocument) throws -> ForumErrorPage {
    ForumErrorPage(
      .banned, title: try document.first("h1")?.trimmedText,
      reasonAddress: try document.first("a[href*='banlist.php']")?["href"],
      helpAddress: try document.first("a[href*='showthread.php']")?["href"])
  }
}
