public import CoreData

/// Something that the reader writes for the site, until the site has it.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class Draft: NSManagedObject {
  /// The draft's own id.
  @Managed public var draftID: String
  /// What becomes of it: the raw value of a `DraftTarget.Kind`.
  @Managed public var kind: String
  /// The thread that it replies to, the forum of a new thread, or the post that it changes.
  @Managed public var targetID: String
  /// The thread of the post that it changes.
  @Managed public var threadID: String?
  /// The title of a new thread.
  @Managed public var subject: String
  /// The icon of a new thread.
  @Managed public var iconID: String?
  /// The second icon of a new thread, in forums that have such icons.
  @Managed public var secondIconID: String?
  /// The text.
  @Managed public var body: String
  /// The text that the post had on the site when the reader began to change it.
  @Managed public var originalBody: String?
  /// The text that the post has on the site now, where it is another one.
  @Managed public var siteBody: String?
  /// The number of times that it was written.
  @Managed public var revision: Int64
  /// When it was last written.
  @Managed public var changedAt: Date
  /// How far it is on its way to the site: the raw value of a `DraftState`.
  @Managed public var state: String
  /// Why it did not arrive, in a sentence.
  @Managed public var problem: String?
  /// The ids that stood where it is going to, right before it was sent, with blanks between; nil before it was sent.
  @Managed public var knownIDs: String?
}
