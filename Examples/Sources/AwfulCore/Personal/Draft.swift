public import CoreData

/// A post or thread that the reader writes, kept until the site has it.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class Draft: NSManagedObject {
  /// The draft's own id.
  @Managed public var draftID: String
  /// The kind of post: the raw value of a `DraftTarget.Kind`.
  @Managed public var kind: String
  /// The id of the thread that it replies to, of the forum of a new thread, or of the post that it edits.
  @Managed public var targetID: String
  /// The id of the thread of the edited post.
  @Managed public var threadID: String?
  /// The title of a new thread.
  @Managed public var subject: String
  /// The icon of a new thread.
  @Managed public var iconID: String?
  /// The second icon of a new thread, in forums that have such icons.
  @Managed public var secondIconID: String?
  /// The text.
  @Managed public var body: String
  /// The text of the post on the site when the reader began to edit it.
  @Managed public var originalBody: String?
  /// The current text of the post on the site, if it has changed.
  @Managed public var siteBody: String?
  /// The number of times the draft has been written.
  @Managed public var revision: Int64
  /// The date when it was last written.
  @Managed public var changedAt: Date
  /// The progress on the way to the site: the raw value of a `DraftState`.
  @Managed public var state: String
  /// The reason why it did not arrive, in a sentence.
  @Managed public var problem: String?
  /// The ids at its destination immediately before it was sent, separated by spaces; nil until it is sent.
  @Managed public var knownIDs: String?
}
