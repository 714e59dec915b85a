public import CoreData

/// A private message that the reader writes, until it is sent; one for each purpose.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class MessageDraft: NSManagedObject {
  /// What it is written for: the key of a `MessageDesk.Purpose`.
  @Managed public var purpose: String
  /// The name of the member who gets it.
  @Managed public var recipient: String
  /// The subject.
  @Managed public var subject: String
  /// The text.
  @Managed public var body: String
  /// Whether the site keeps a copy among the sent items.
  @Managed public var keepsCopy: Bool
  /// The number of times that it was written.
  @Managed public var revision: Int64
  /// When it was last written.
  @Managed public var changedAt: Date
}
