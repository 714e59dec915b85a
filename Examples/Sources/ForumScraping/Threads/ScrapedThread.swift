import ForumHTML

/// One row of a thread list.
public struct ScrapedThread: Sendable, Equatable {
  /// The color of a bookmark.
  public enum BookmarkColor: String, Sendable, CaseIterable {
    /// The site's six colors, in the order of their numbers.
    case orange, red, yellow, cyan, green, purple
    /// The thread is not bookmarked, or the list does not show bookmarks.
    case none
  }

  /// The thread's id.
  public let id: String
  /// The title.
  public let title: String
  /// The id of the user who started the thread.
  public let authorID: String?
  /// The name of the user who started the thread.
  public let authorName: String
  /// The icon.
  public let icon: ThreadIcon?
  /// The image name of the second icon.
  public let secondaryIconName: String?
  /// The number of replies; nil if the list does not show it.
  public let replyCount: Int?
  /// The number of views; nil if the list does not show it.
  public let viewCount: Int?
  /// The number of votes; nil if the thread is not rated.
  public let voteCount: Int?
  /// The average vote; nil if the thread is not rated.
  public let rating: Double?
  /// The image name of the rating.
  public let ratingImageName: String?
  /// Whether the thread stays at the top of the list.
  public let isSticky: Bool
  /// Whether the thread accepts no more posts.
  public let isClosed: Bool
  /// The color of the reader's bookmark.
  public let bookmarkColor: BookmarkColor
  /// Whether the reader has opened the thread before.
  public let wasSeen: Bool
  /// The number of unread posts; nil if the list shows none.
  public let unreadCount: Int?
  /// The name of the author of the last post.
  public let lastPostAuthorName: String
  /// The date of the last post.
  public let lastPosted: PrintedDate?

  /// The number of posts that the reader has read: none, all, or all but the unread posts; never negative. The number is nil if the reader
  /// has opened the thread and the list does not show the number of replies.
  public var seenPostCount: Int? {
    guard wasSeen else { return 0 }
    guard let replyCount else { return nil }
    let largest = Int(Int32.max)
    let unread = min(max(0, unreadCount ?? 0), largest)
    return max(0, min(replyCount, largest) + 1 - unread)
  }

  /// Reads a row.
  ///
  /// - Parameter row: The table row.
  /// - Returns: The thread; nil if the row has no thread id, as with announcements.
  init?(_ row: HTMLElement) throws {
    guard let identifier = row["id"], identifier.hasPrefix("thread"),
      case let digits = identifier.dropFirst(6), !digits.isEmpty, digits.allSatisfy(\.isNumber)
    else { return nil }
    id = String(digits)
    let titleCell = try row.first("td.title")
    title = try row.first("a.thread_title")?.trimmedText ?? ""
    let author = try row.first("td.author a")
    authorID = Link.parameter("userid", in: author?["href"])
    authorName = try (author ?? row.first("td.author"))?.trimmedText ?? ""
    icon = ThreadIcon(try row.first("td.icon img")?["src"])
    secondaryIconName = Link.imageName(of: try row.first("td.icon2 img")?["src"])
    replyCount = try row.first("td.replies")?.text.wholeNumber.map { max(0, $0) }
    viewCount = try row.first("td.views")?.text.wholeNumber
    let ratingImage = try row.first("td.rating img")
    (voteCount, rating) = Self.votes(in: ratingImage?["title"])
    ratingImageName = Link.imageName(of: ratingImage?["src"])
    isSticky = titleCell?.hasClass("title_sticky") ?? false
    isClosed = row.hasClass("closed")
    bookmarkColor = Self.bookmarkColor(of: try row.first("td.star"))
    wasSeen = try row.first("a.x") != nil
    unreadCount =
      try row.first("a.count b")?.text.wholeNumber ?? row.first("a.count")?.text.wholeNumber
    lastPostAuthorName = try row.first("td.lastpost a.author")?.trimmedText ?? ""
    lastPosted = PrintedDate(try row.first("td.lastpost div.date")?.text)
  }

  /// Parses a rating such as `26 votes - 3.81 average`.
  private static func votes(in title: String?) -> (Int?, Double?) {
    guard let title else { return (nil, nil) }
    let words = title.split(whereSeparator: \.isWhitespace)
    guard let votes = words.firstIndex(where: { $0.hasPrefix("vote") }), votes > 0,
      let average = words.firstIndex(where: { $0.hasPrefix("average") }), average > 0,
      let count = String(words[votes - 1]).wholeNumber, let rating = Double(words[average - 1])
    else { return (nil, nil) }
    return (count, rating)
  }

  private static func bookmarkColor(of star: HTMLElement?) -> BookmarkColor {
    guard let number = star.flatMap({ Link.number(after: "bm", inClassesOf: $0) }) else {
      return .none
    }
    switch Int(number) {
    case 1: return .red
    case 2: return .yellow
    case 3: return .cyan
    case 4: return .green
    case 5: return .purple
    default: return .orange
    }
  }
}
