/// One copy of a private message: the recipient and the sender each have their own.
struct SiteMessage: Codable, Sendable, Hashable {
  static let inbox = 0
  static let sentItems = -1

  let id: Int
  /// The account whose folder holds the copy.
  let ownerID: Int
  let senderID: Int
  let recipientID: Int
  let title: String
  /// The icon, zero for none.
  let iconID: Int
  /// The text as typed.
  let text: String
  let date: Int
  var folderID: Int
  var isSeen: Bool
  var isRepliedTo = false
  var isForwarded = false

  /// The party that the folder's list names: the recipient in the sent items, else the sender.
  var otherPartyID: Int { senderID == ownerID ? recipientID : senderID }
}

/// A folder that an account has made for its messages.
struct SiteFolder: Codable, Sendable, Hashable {
  let id: Int
  var name: String
}
