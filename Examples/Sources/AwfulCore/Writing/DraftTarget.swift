/// What becomes of a draft on the site.
public struct DraftTarget: Sendable, Hashable {
  /// The kinds.
  public enum Kind: String, Sendable {
    /// A reply in a thread.
    case reply
    /// A new thread in a forum.
    case thread
    /// Another text of a post.
    case edit
  }

  /// The kind.
  public let kind: Kind
  /// The thread replied to, the forum of a new thread, or the post that changes.
  public let id: String
  /// The thread that the reader goes back to; nil for a new thread.
  public let threadID: String?

  /// A reply in a thread.
  public static func reply(toThread id: String) -> DraftTarget {
    DraftTarget(kind: .reply, id: id, threadID: id)
  }

  /// A new thread in a forum.
  public static func thread(inForum id: String) -> DraftTarget {
    DraftTarget(kind: .thread, id: id, threadID: nil)
  }

  /// Another text of a post.
  public static func edit(ofPost id: String, inThread threadID: String) -> DraftTarget {
    DraftTarget(kind: .edit, id: id, threadID: threadID)
  }
}

/// How far a draft is on its way to the site.
public enum DraftState: String, Sendable, Encodable {
  /// The reader writes it.
  case writing
  /// It is complete, and goes to the site as soon as that can be reached.
  case waiting
  /// It is being sent.
  case sending
  /// It was sent, but the site's answer was lost; the site may have it.
  case unconfirmed
  /// The post has another text on the site than when the reader began to change it.
  case conflict
  /// The site refused it.
  case refused
}
