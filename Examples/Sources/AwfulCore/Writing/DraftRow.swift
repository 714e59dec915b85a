public import Foundation

/// A draft, as a value independent of its context.
public struct DraftRow: Sendable, Equatable {
  /// The draft's own id.
  public let id: String
  /// The destination of the draft.
  public let target: DraftTarget
  /// The contents.
  public let text: DraftText
  /// The text of the post on the site when the reader began to edit it.
  public let originalBody: String?
  /// The current text of the post on the site, if it has changed.
  public let siteBody: String?
  /// The number of times the draft has been written.
  public let revision: Int
  /// The date when it was last written.
  public let changedAt: Date
  /// The progress on the way to the site.
  public let state: DraftState
  /// The reason why it did not arrive, in a sentence.
  public let problem: String?
  /// The ids at its destination immediately before it was sent.
  let knownIDs: Set<String>
  /// Whether sending it has begun, so that the site may have it.
  let mayBeSent: Bool

  /// Creates a row from a draft. Call this initializer on the queue of its context.
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

/// The contents of a draft.
public struct DraftText: Sendable, Equatable {
  /// The title of a new thread; empty otherwise.
  public var subject: String
  /// The icon of a new thread; nil for the default of the site's form.
  public var iconID: String?
  /// The second icon of a new thread; nil for the default of the site's form.
  public var secondIconID: String?
  /// The text.
  public var body: String

  /// Creates a text.
  public init(
    subject: String = "", iconID: String? = nil, secondIconID: String? = nil, body: String
  ) {
    self.subject = subject
    self.iconID = iconID
    self.secondIconID = secondIconID
    self.body = body
  }

  /// Whether there is neither a title nor a text.
  var isEmpty: Bool { subject.isEmpty && body.isEmpty }
}
