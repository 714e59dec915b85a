import Foundation

/// A folder of private messages in a list, as a value independent of its context.
public struct MessageFolderRow: Sendable, Equatable, Encodable {
  /// The id on the site.
  public let folderID: String
  /// The name.
  public let name: String
  /// The purpose of the folder.
  public let kind: PrivateMessageFolder.Kind
  /// The number of stored messages.
  public let messageCount: Int
  /// The number of received messages that have not been opened.
  public let unreadCount: Int
}

extension PrivateMessageFolder.Kind: Encodable {}
