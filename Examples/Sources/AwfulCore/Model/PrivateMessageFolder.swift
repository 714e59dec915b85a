public import CoreData

/// A folder of the reader's private messages.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class PrivateMessageFolder: NSManagedObject {
  /// The id of the inbox.
  public static let inboxID = "0"
  /// The id of the sent items.
  public static let sentItemsID = "-1"

  /// The id on the site.
  @Managed public var folderID: String?
  /// The kind of the folder: the raw value of a `Kind`.
  @Managed public var folderType: String?
  /// The name.
  @Managed public var name: String?
  /// The messages.
  @Managed public var messages: Set<PrivateMessage>

  /// The purpose of a folder.
  public enum Kind: String, Sendable {
    /// The folder that receives messages.
    case inbox
    /// The folder with the messages that the reader wrote.
    case sent
    /// A folder that the reader created.
    case custom

    /// Creates the kind of the folder with an id.
    public init(folderID: String) {
      switch folderID {
      case PrivateMessageFolder.inboxID: self = .inbox
      case PrivateMessageFolder.sentItemsID: self = .sent
      default: self = .custom
      }
    }
  }
}
