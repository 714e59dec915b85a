public import CoreData

/// A private message in one of the reader's folders.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class PrivateMessage: NSManagedObject {
  /// The id on the site.
  @Managed public var messageID: String
  /// The subject.
  @Managed public var subject: String?
  /// The body as markup, as the site sent it; nil until the message is opened.
  @Managed public var innerHTML: String?
  /// The other party's name as lists print it: the sender, or the recipient of a sent message.
  @Managed public var rawFromUsername: String?
  /// The date when it was sent.
  @Managed public var sentDate: Date?
  /// The date as the site prints it.
  @Managed public var sentDateRaw: String?
  /// Whether the reader has opened it.
  @Managed public var seen: Bool
  /// Whether the reader has replied to it.
  @Managed public var replied: Bool
  /// Whether the reader has forwarded it.
  @Managed public var forwarded: Bool
  /// Whether the reader wrote it.
  @Managed public var isSent: Bool
  /// The sender; nil until the message is opened.
  @Managed public var from: User?
  /// The recipient, if that user is stored.
  @Managed public var to: User?
  /// The icon.
  @Managed public var threadTag: ThreadTag?
  /// The folder; nil for a message that no list has shown.
  @Managed public var folder: PrivateMessageFolder?

  /// Returns a fetch request for the message with an id.
  public static func request(id: String) -> NSFetchRequest<PrivateMessage> {
    let request = NSFetchRequest<PrivateMessage>(entityName: "PrivateMessage")
    request.predicate = NSPredicate(format: "messageID == %@", argumentArray: [id])
    return request
  }
}
