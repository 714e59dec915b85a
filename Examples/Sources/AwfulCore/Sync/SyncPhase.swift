/// The parts of a sync, in order.
public enum SyncPhase: String, Sendable, CaseIterable {
  /// Groups and forums.
  case index
  /// The threads of each forum.
  case threadLists = "thread lists"
  /// The reader's bookmarks; left out when logged out.
  case bookmarks
  /// The lists of the reader's private messages; left out when logged out.
  case messages
  /// The posts that are not stored yet.
  case posts
}
