import Foundation

/// A folder of private messages in a list, apart from its context.
public struct MessageFolderRow: Sendable, Equatable, Encodable {
  /// The site's id.
  public let folderID: String
  /// The name.
  public let name: String
  /// What it is for.
  public let kind: PrivateMessageFolder.Kind
  /// The number of stored messages.
  public let messageCount: Int
  /// The number of messages that arrived and were not opened yet.
  public let unreadCount: Int
}

extension PrivateMessageFolder.Kind: Encodable {}
