/// One copy of a private message; the recipient and the sender have separate copies.
struct SiteMessage: Codable, Sendable, Hashable {
  static let inbox = 0
  static let sentItems = -1

  let id: Int
  /// The account whose folder contains the copy.
  let ownerID: Int
  let senderID: Int
  let recipientID: Int
  let title: String
  /// The icon; zero for none.
  let iconID: Int
  /// The text as typed.
  let text: String
  let date: Int
  var folderID: Int
  var isSeen: Bool
  var isRepliedTo = false
  var isForwarded = false

  /// The account that the list of the folder names: the recipient for sent messages, otherwise the sender.
  var otherPartyID: Int { senderID == ownerID ? recipientID : senderID }
}

/// A message folder created by an account.
struct SiteFolder: Codable, Sendable, Hashable {
  let id: Int
  var name: String
}
