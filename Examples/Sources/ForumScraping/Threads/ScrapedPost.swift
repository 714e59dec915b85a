import ForumHTML

/// One post of a thread page.
public struct ScrapedPost: Sendable, Equatable {
  /// The post's id.
  public let id: String
  /// The index in the thread, from 1; nil on ignored posts and in one forum's layout.
  public let index: Int?
  /// The author.
  public let author: AuthorSidebar
  /// Whether the author takes private messages.
  public let authorCanReceivePrivateMessages: Bool
  /// The body as markup, as the site sent it: not cleaned.
  public let bodyHTML: String
  /// The body as a reader sees it, without markup.
  public let bodyText: String
  /// When it was posted.
  public let posted: PrintedDate?
  /// Whether the site counts it as read.
  public let isSeen: Bool
  /// Whether the reader may edit it.
  public let isEditable: Bool
  /// Whether its author is on the reader's ignore list.
  public let isIgnored: Bool

  /// Reads a post.
  ///
  /// - Parameter table: The post's table.
  /// - Returns: Nil when the table has no post id, as around private messages.
  init?(_ table: HTMLElement) throws {
    guard let identifier = table["id"], identifier.hasPrefix("post"),
      case let digits = identifier.dropFirst(4), !digits.isEmpty, digits.allSatisfy(\.isNumber)
    else { return nil }
    id = String(digits)
    index = table["data-idx"]?.wholeNumber
    author = try AuthorSidebar(in: table, linkSelector: Self.authorLinks)
    authorCanReceivePrivateMessages =
      try table.first("ul.profilelinks a[href*='private.php']") != nil
    let body = try table.first("div.complete_shit") ?? table.first("td.postbody")
    bodyHTML = body?.innerHTML.trimmingWhitespace ?? ""
    bodyText = body?.readableText.trimmingWhitespace ?? ""
    posted = PrintedDate(try Self.lastText(in: table.first("td.postdate")))
    isSeen = try table.first("tr.seen1, tr.seen2") != nil
    isEditable = try table.first("ul.postbuttons a[href*='editpost.php']") != nil
    isIgnored = table.hasClass("ignored")
  }

  private static let authorLinks =
    "ul.profilelinks a[href*='userid='], a.user_jump[href*='userid=']"

  /// The last text that is not blank.
  static func lastText(in element: HTMLElement?) -> String? {
    element?.textRuns.last { !$0.trimmingWhitespace.isEmpty }
  }
}
