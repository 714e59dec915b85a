import AwfulCore
import ForumHTML
import Foundation
import WebPages

/// The rows of private messages and their folders.
enum MessageRows {
  /// Returns the path of a folder.
  static func path(ofFolder id: String) -> String {
    id == PrivateMessageFolder.inboxID ? "/messages" : "/messages/folder/\(PagePath.part(id))"
  }

  /// Returns the path of the page about the other party of a message.
  static func memberPath(_ message: MessageRow) -> String {
    message.otherPartyID.map { MemberRows.path(of: $0) }
      ?? "/members?name=\(PagePath.part(message.otherPartyName))"
  }

  /// Returns the row of a message in a folder's list.
  static func row(_ message: MessageRow) -> LiveRow {
    let id = "message-\(message.messageID)"
    let markup = element(.li, .id(id)) {
      element(
        .a, .class(message.isUnread ? "row unread" : "row"),
        .href("/messages/\(PagePath.part(message.messageID))")
      ) {
        element(.span, .class("title")) { title(of: message) }
        element(.span, .class(message.isUnread ? "count" : "count none")) { state(of: message) }
        element(.span, .class("meta")) { Wording.list(facts(of: message)) }
      }
    }
    return LiveRow(id: id, markup: markup)
  }

  static func title(of message: MessageRow) -> String {
    message.subject.isEmpty ? "(no subject)" : message.subject
  }

  private static func state(of message: MessageRow) -> String {
    if message.isUnread { return "unread" }
    if message.isRepliedTo { return "replied" }
    return message.isForwarded ? "forwarded" : ""
  }

  private static func facts(of message: MessageRow) -> [String] {
    let party = "\(message.isSent ? "to" : "from") \(message.otherPartyName)"
    return [party, message.date.map(Wording.day) ?? message.printedDate].filter { !$0.isEmpty }
  }

  /// Returns a folder as a link, and marks the folder that is shown.
  static func folder(_ folder: MessageFolderRow, shown: String) -> LiveRow {
    let id = "folder-\(folder.folderID)"
    let markup = element(.li, .id(id)) {
      element(
        .a, .href(path(ofFolder: folder.folderID)),
        folder.folderID == shown ? Attribute("aria-current", "page") : nil
      ) {
        element(.span, .class("name")) { folder.name }
        element(.span, .class("muted")) {
          folder.unreadCount > 0
            ? "\(folder.unreadCount) of \(folder.messageCount) unread" : "\(folder.messageCount)"
        }
      }
    }
    return LiveRow(id: id, markup: markup)
  }

  /// Returns the number of unread messages for the link in the navigation; no row if there are none.
  static func unread(_ count: Int) -> [LiveRow] {
    guard count > 0 else { return [] }
    let markup = element(.span, .id("unread-count"), .class("badge")) {
      "\(count)"
      element(.span, .class("spoken")) { " unread" }
    }
    return [LiveRow(id: "unread-count", markup: markup)]
  }

  /// Returns the row of a message on its own page.
  static func message(_ message: MessageRow, _ cleaner: HTMLCleaner) -> LiveRow {
    let id = "message-\(message.messageID)"
    let markup = element(.li, .id(id), .class("post")) {
      element(.article, Attribute("tabindex", "-1"), .label(title(of: message))) {
        element(.header) {
          element(.span) {
            message.isSent ? "To " : "From "
            element(.strong) {
              element(.a, .href(memberPath(message))) { message.otherPartyName }
            }
          }
          element(.span, .class("muted")) {
            message.date.map(Wording.day) ?? message.printedDate
          }
          if !state(of: message).isEmpty {
            element(.span, .class("muted")) { state(of: message) }
          }
        }
        element(.div, .class("body")) {
          if let body = message.bodyHTML {
            Markup(trusted: cleaner.clean(body))
          } else {
            element(.p, .class("muted")) { "The text is not stored yet." }
          }
        }
      }
    }
    return LiveRow(id: id, markup: markup)
  }
}
