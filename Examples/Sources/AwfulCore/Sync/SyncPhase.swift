/// The phases of a sync, in order.
public enum SyncPhase: String, Sendable, CaseIterable {
  /// The reader's read marks, which are sent to the site. Skipped without a login.
  case marks = "read marks"
  /// Groups and forums.
  case index
  /// The threads of each forum.
  case threadLists = "thread lists"
  /// The reader's bookmarks. Skipped without a login.
  case bookmarks
  /// The lists of the reader's private messages. Skipped without a login.
  case messages
  /// The posts that are not stored yet.
  case posts
}
