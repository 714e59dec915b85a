public import Foundation

/// A draft, apart from its context.
public struct DraftRow: Sendable, Equatable {
  /// The draft's own id.
  public let id: String
  /// What becomes of it.
  public let target: DraftTarget
  /// The texts.
  public let text: DraftText
  /// The text that the post had on the site when the reader began to change it.
  public let originalBody: String?
  /// The text that the post has on the site now, where it is another one.
  public let siteBody: String?
  /// The number of times that it was written.
  public let revision: Int
  /// When it was last written.
  public let changedAt: Date
  /// How far it is on its way to the site.
  public let state: DraftState
  /// Why it did not arrive, in a sentence.
  public let problem: String?
  /// The ids that stood where it is going to, right before it was sent.
  let knownIDs: Set<String>
  /// Whether it was about to be sent, so that the site may have it.
  let mayBeSent: Bool

  /// Reads a draft; call on the queue of its context.
  init(_ draft: Draft) throws {
    guard let kind = DraftTarget.Kind(rawValue: draft.kind),
      let state = DraftState(rawValue: draft.state)
    else {
      throw WritingError(
        .unreadable, "The draft \(draft.draftID) was written by a newer version of this program.")
    }
    id = draft.draftID
    target = DraftTarget(kind: kind, id: draft.targetID, threadID: draft.threadID)
    text = DraftText(
      subject: draft.subject, iconID: draft.iconID, secondIconID: draft.secondIconID,
      body: draft.body)
    originalBody = draft.originalBody
    siteBody = draft.siteBody
    revision = Int(draft.revision)
    changedAt = draft.changedAt
    self.state = state
    problem = draft.problem
    mayBeSent = draft.knownIDs != nil
    knownIDs = Set(draft.knownIDs?.split(separator: " ").map(String.init) ?? [])
  }
}

/// What the reader types.
public struct DraftText: Sendable, Equatable {
  /// The title of a new thread; empty otherwise.
  public var subject: String
  /// The icon of a new thread; nil for the one that the site's form has chosen.
  public var iconID: String?
  /// The second icon of a new thread, likewise.
  public var secondIconID: String?
  /// The text.
  public var body: String

  /// Makes a text.
  public init(
    subject: String = "", iconID: String? = nil, secondIconID: String? = nil, body: String
  ) {
    self.subject = subject
    self.iconID = iconID
    self.secondIconID = secondIconID
    self.body = body
  }
}
