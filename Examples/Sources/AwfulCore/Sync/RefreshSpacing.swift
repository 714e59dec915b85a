/// The minimum age of each list before a sync fetches it again.
public struct RefreshSpacing: Sendable {
  /// The minimum age of the index of forums.
  public var index: Duration
  /// The minimum age of each forum's thread list.
  public var forum: Duration
  /// The minimum age of the reader's bookmarks.
  public var bookmarks: Duration
  /// The minimum age of the folders of private messages.
  public var messages: Duration
  /// The minimum age of the texts of announcements. New announcements are fetched with the next sync.
  public var announcements: Duration

  /// A spacing that fetches every list.
  public static let none = RefreshSpacing(
    index: .zero, forum: .zero, bookmarks: .zero, messages: .zero, announcements: .zero)
  /// Six hours for the index, 15 minutes for forums, ten minutes for bookmarks and messages, 20 hours for announcements.
  public static let standard = RefreshSpacing(
    index: .seconds(21_600), forum: .seconds(900), bookmarks: .seconds(600),
    messages: .seconds(600))

  /// Creates a spacing.
  public init(
    index: Duration, forum: Duration, bookmarks: Duration, messages: Duration,
    announcements: Duration = .seconds(72_000)
  ) {
    self.index = index
    self.forum = forum
    self.bookmarks = bookmarks
    self.messages = messages
    self.announcements = announcements
  }
}
