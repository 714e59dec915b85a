/// What became of a draft that was to go to the site.
public enum Delivery: Sendable, Equatable {
  /// The site has it: the thread, where it is known, and the post.
  case arrived(threadID: String?, postID: String?)
  /// The site cannot be reached, or the reader is not logged in; it goes later.
  case waiting(String)
  /// It was sent, but the answer was lost; whether the site has it is not known yet.
  case unconfirmed(String)
  /// The post has another text on the site than when the reader began to change it.
  case conflict
  /// The site refused it.
  case refused(String)
}
