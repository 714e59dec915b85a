public import CoreData

/// A private message that the reader writes, kept until it is sent. There is one draft for each purpose.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class MessageDraft: NSManagedObject {
  /// The purpose: the key of a `MessageDesk.Purpose`.
  @Managed public var purpose: String
  /// The name of the recipient.
  @Managed public var recipient: String
  /// The subject.
  @Managed public var subject: String
  /// The text.
  @Managed public var body: String
  /// Whether the site keeps a copy in the sent items.
  @Managed public var keepsCopy: Bool
  /// The number of times the draft has been written.
  @Managed public var revision: Int64
  /// The date when it was last written.
  @Managed public var changedAt: Date
}
