/// How old a list may be before a sync asks the site for it again.
public struct RefreshSpacing: Sendable {
  /// For the index of forums.
  public var index: Duration
  /// For the list of threads of each forum.
  public var forum: Duration
  /// For the reader's bookmarks.
  public var bookmarks: Duration
  /// For the folders of private messages.
  public var messages: Duration

  /// Every list is asked for.
  public static let none = RefreshSpacing(
    index: .zero, forum: .zero, bookmarks: .zero, messages: .zero)
  /// Six hours for the index, a quarter of an hour for forums, ten minutes for bookmarks and messages.
  public static let standard = RefreshSpacing(
    index: .seconds(21_600), forum: .seconds(900), bookmarks: .seconds(600),
    messages: .seconds(600))

  /// Makes a spacing.
  public init(index: Duration, forum: Duration, bookmarks: Duration, messages: Duration) {
    self.index = index
    self.forum = forum
    self.bookmarks = bookmarks
    self.messages = messages
  }
}
