/// The kinds of things that happen on the site without its readers.
public enum Happening: String, Codable, Sendable, Hashable, CaseIterable {
  /// A member replies somewhere.
  case post
  /// A member begins a thread.
  case newThread = "new-thread"
  /// A thread gets another title.
  case renameThread = "rename-thread"
  /// A post is taken away, so that the ones behind it move up.
  case deletePost = "delete-post"
  /// A thread moves to another forum.
  case moveThread = "move-thread"
  /// A thread is closed.
  case closeThread = "close-thread"
  /// A closed thread is opened again.
  case openThread = "open-thread"
  /// A thread is taken away with all its posts.
  case deleteThread = "delete-thread"
  /// A member gets another name; the accounts that tests log in with keep theirs.
  case renameUser = "rename-user"
  /// An announcement is added, replaced or taken away.
  case changeAnnouncement = "change-announcement"
  /// A private message reaches the default account.
  case message
  /// A forum gets another name.
  case renameForum = "rename-forum"
  /// A forum is added.
  case addForum = "add-forum"
  /// The moderators of a forum change.
  case changeModerators = "change-moderators"
}
