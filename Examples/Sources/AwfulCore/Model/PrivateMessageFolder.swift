public import CoreData

/// A folder of the reader's private messages.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class PrivateMessageFolder: NSManagedObject {
  /// The id of the folder in which messages arrive.
  public static let inboxID = "0"
  /// The id of the folder of sent messages.
  public static let sentItemsID = "-1"

  /// The site's id.
  @Managed public var folderID: String?
  /// Which kind it is: the raw value of a `Kind`.
  @Managed public var folderType: String?
  /// The name.
  @Managed public var name: String?
  /// The messages.
  @Managed public var messages: Set<PrivateMessage>

  /// What a folder is for.
  public enum Kind: String, Sendable {
    /// Messages arrive in it.
    case inbox
    /// It has the messages that the reader wrote.
    case sent
    /// The reader made it.
    case custom

    /// The kind of the folder of an id.
    public init(folderID: String) {
      switch folderID {
      case PrivateMessageFolder.inboxID: self = .inbox
      case PrivateMessageFolder.sentItemsID: self = .sent
      default: self = .custom
      }
    }
  }
}
