import ForumHTML

/// One post of a thread page.
public struct ScrapedPost: Sendable, Equatable {
  /// The post's id.
  public let id: String
  /// The index in the thread, from 1; nil for ignored posts and in the layout of one forum.
  public let index: Int?
  /// The author.
  public let author: AuthorSidebar
  /// Whether the author accepts private messages.
  public let authorCanReceivePrivateMessages: Bool
  /// The body as the uncleaned markup of the site.
  public let bodyHTML: String
  /// The visible text of the body, without markup.
  public let bodyText: String
  /// The date of posting.
  public let posted: PrintedDate?
  /// Whether the site marks the post as read.
  public let isSeen: Bool
  /// Whether the reader may edit the post.
  public let isEditable: Bool
  /// Whether the author is on the reader's ignore list.
  public let isIgnored: Bool

  /// Reads a post.
  ///
  /// - Parameter table: The post's table.
  /// - Returns: The post; nil if the table has no post id, as with private messages.
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

  /// Returns the last text that is not blank.
  static func lastText(in element: HTMLElement?) -> String? {
    element?.textRuns.last { !$0.trimmingWhitespace.isEmpty }
  }
}
