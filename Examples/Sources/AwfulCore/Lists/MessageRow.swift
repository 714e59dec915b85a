public import CoreData
import Foundation

/// A private message in a list, apart from its context.
public struct MessageRow: Sendable, Equatable, Encodable {
  /// The site's id.
  public let messageID: String
  /// The id of its folder; nil for a message that no list has shown.
  public let folderID: String?
  /// The subject; empty when no page told it.
  public let subject: String
  /// The other party's name: the sender, or the recipient of a sent message.
  public let otherPartyName: String
  /// The other party's id; nil before the message was opened, or for a recipient of whom nothing is stored.
  public let otherPartyID: String?
  /// The date as the site prints it; empty when no page told it.
  public let printedDate: String
  /// When it was sent.
  public let date: Date?
  /// Whether the reader has opened it.
  public let isSeen: Bool
  /// Whether the reader has replied to it.
  public let isRepliedTo: Bool
  /// Whether the reader has forwarded it.
  public let isForwarded: Bool
  /// Whether the reader wrote it.
  public let isSent: Bool
  /// The body as markup; nil before the message was opened.
  public let bodyHTML: String?

  /// Reads a message; call on the queue of its context.
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

  /// Whether it arrived and was not opened yet.
  public var isUnread: Bool { !isSeen && !isSent }
}
