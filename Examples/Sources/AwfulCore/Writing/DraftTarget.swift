/// The destination of a draft on the site.
public struct DraftTarget: Sendable, Hashable {
  /// The kinds of destinations.
  public enum Kind: String, Sendable {
    /// A reply in a thread.
    case reply
    /// A new thread in a forum.
    case thread
    /// A change to a post.
    case edit
  }

  /// The kind.
  public let kind: Kind
  /// The id of the thread replied to, of the forum of a new thread, or of the edited post.
  public let id: String
  /// The id of the thread to return to; nil for a new thread.
  public let threadID: String?

  /// Returns the target for a reply in a thread.
  public static func reply(toThread id: String) -> DraftTarget {
    DraftTarget(kind: .reply, id: id, threadID: id)
  }

  /// Returns the target for a new thread in a forum.
  public static func thread(inForum id: String) -> DraftTarget {
    DraftTarget(kind: .thread, id: id, threadID: nil)
  }

  /// Returns the target for a change to a post.
  public static func edit(ofPost id: String, inThread threadID: String) -> DraftTarget {
    DraftTarget(kind: .edit, id: id, threadID: threadID)
  }
}

/// The progress of a draft on its way to the site.
public enum DraftState: String, Sendable, Encodable {
  /// The reader is writing it.
  case writing
  /// It is complete, and is sent as soon as the site can be reached.
  case waiting
  /// It is being sent.
  case sending
  /// It was sent, but the site's answer was lost; the site may have it.
  case unconfirmed
  /// The text of the post on the site has changed since the reader began to edit it.
  case conflict
  /// The site refused it.
  case refused
}
