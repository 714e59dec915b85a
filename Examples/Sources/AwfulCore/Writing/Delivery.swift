/// The result of sending a draft to the site.
public enum Delivery: Sendable, Equatable {
  /// The site has it, with the ids of the thread and the post if known.
  case arrived(threadID: String?, postID: String?)
  /// The site cannot be reached, or the reader is not logged in. The draft is sent later.
  case waiting(String)
  /// It was sent, but the answer was lost. It is not yet known whether the site has it.
  case unconfirmed(String)
  /// The text of the post on the site has changed since the reader began to edit it.
  case conflict
  /// The site refused it.
  case refused(String)
}
