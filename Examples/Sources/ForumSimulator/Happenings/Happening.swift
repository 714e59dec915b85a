/// The kinds of events that occur on the site independently of its readers.
public enum Happening: String, Codable, Sendable, Hashable, CaseIterable {
  /// A member replies to a thread.
  case post
  /// A member starts a thread.
  case newThread = "new-thread"
  /// A thread is renamed.
  case renameThread = "rename-thread"
  /// A post is deleted, so that the following posts move up.
  case deletePost = "delete-post"
  /// A thread moves to another forum.
  case moveThread = "move-thread"
  /// A thread is closed.
  case closeThread = "close-thread"
  /// A closed thread is reopened.
  case openThread = "open-thread"
  /// A thread is deleted with all of its posts.
  case deleteThread = "delete-thread"
  /// A member is renamed; the accounts that tests log in with keep their names.
  case renameUser = "rename-user"
  /// An announcement is added, replaced or removed.
  case changeAnnouncement = "change-announcement"
  /// A private message reaches the default account.
  case message
  /// A forum is renamed.
  case renameForum = "rename-forum"
  /// A forum is added.
  case addForum = "add-forum"
  /// The moderators of a forum change.
  case changeModerators = "change-moderators"
}
