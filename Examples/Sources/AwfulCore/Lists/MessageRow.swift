public import CoreData
import Foundation

/// A private message in a list, as a value independent of its context.
public struct MessageRow: Sendable, Equatable, Encodable {
  /// The id on the site.
  public let messageID: String
  /// The id of its folder; nil for a message that no list has shown.
  public let folderID: String?
  /// The subject; empty if no page has shown it.
  public let subject: String
  /// The other party's name: the sender, or the recipient of a sent message.
  public let otherPartyName: String
  /// The other party's id; nil until the message is opened, or if the recipient is not stored.
  public let otherPartyID: String?
  /// The date as the site prints it; empty if no page has shown it.
  public let printedDate: String
  /// The date when it was sent.
  public let date: Date?
  /// Whether the reader has opened it.
  public let isSeen: Bool
  /// Whether the reader has replied to it.
  public let isRepliedTo: Bool
  /// Whether the reader has forwarded it.
  public let isForwarded: Bool
  /// Whether the reader wrote it.
  public let isSent: Bool
  /// The body as markup; nil until the message is opened.
  public let bodyHTML: String?

  /// Creates a row from a message. Call this initializer on the queue of its context.
  public init(_ message: PrivateMessage) {
    messageID = message.messageID
    folderID = message.folder?.folderID
    subject = message.subject ?? ""
    let other = message.isSent ? message.to : message.from
    otherPartyName = other?.username ?? message.rawFromUsername ?? ""
    otherPartyID = other?.userID
    printedDate = message.sentDateRaw ?? ""
    date = message.sentDate
    isSeen = message.seen
    isRepliedTo = message.replied
    isForwarded = message.forwarded
    isSent = message.isSent
    bodyHTML = message.innerHTML
  }

  /// Whether the message was received and has not been opened.
  public var isUnread: Bool { !isSeen && !isSent }
}
