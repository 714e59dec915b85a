import AwfulCore
import ForumHTML
import Foundation
import TerminalView

/// The rows for forums, threads, posts and private messages in a terminal.
enum ReaderRows {
  static func forums(_ forums: [ForumRow]) -> [TerminalRow] {
    forums.byGroup.flatMap { group in
      let heading = TerminalRow(
        id: "group \(group.forums[0].forumID)", oneLine(group.name), style: .heading)
      return [heading] + group.forums.map { row($0) }
    }
  }

  private static func row(_ forum: ForumRow) -> TerminalRow {
    let indent = String(repeating: "  ", count: max(0, min(forum.depth, 8) - 1))
    let unread = forum.unreadThreadCount
    return TerminalRow(
      id: forum.forumID, indent + oneLine(forum.name), detail: unread > 0 ? "\(unread) unread" : "",
      style: unread > 0 ? .strong : .plain)
  }

  static func thread(_ thread: ThreadRow) -> TerminalRow {
    let second = thread.secondIconName.isEmpty ? "" : "[\(oneLine(thread.secondIconName))] "
    let marks =
      (thread.isSticky ? "[sticky] " : "") + (thread.isClosed ? "[closed] " : "") + second
    let detail = thread.hasNewPosts ? "\(thread.unreadPostCount) unread" : "\(thread.postCount)"
    return TerminalRow(
      id: thread.threadID, marks + oneLine(thread.title), detail: detail,
      style: thread.hasNewPosts ? .strong : .plain)
  }

  /// Returns the heading line of a post, followed by its text.
  static func post(_ post: PostRow) -> [TerminalRow] {
    let head = "\(oneLine(post.authorName))  #\(post.place)\(post.isNew ? "  new" : "")"
    return [
      TerminalRow(
        id: "head \(post.postID)", head, detail: oneLine(post.printedDate), style: .heading),
      TerminalRow(id: post.postID, text(of: post), wraps: true),
      TerminalRow(id: "end \(post.postID)", "", style: .heading),
    ]
  }

  /// Returns the heading line of an announcement, followed by its text.
  static func announcement(_ announcement: AnnouncementRow) -> [TerminalRow] {
    let head = "\(oneLine(announcement.title))\(announcement.isNew ? "  new" : "")"
    let text = announcement.bodyHTML.map(readable) ?? "(The text is not stored yet.)"
    let author = announcement.authorName
    return [
      TerminalRow(
        id: "head \(announcement.place)", head, detail: oneLine(announcement.printedDate),
        style: .heading),
      TerminalRow(
        id: "\(announcement.place)", author.isEmpty ? text : "\(oneLine(author)):\n\(text)",
        wraps: true),
    ]
  }

  /// Returns the place of the announcement to which a row belongs.
  static func place(ofAnnouncement row: TerminalRow) -> Int? {
    row.id.split(separator: " ").last.flatMap { Int($0) }
  }

  static func message(_ message: MessageRow) -> TerminalRow {
    let subject = message.subject.isEmpty ? "(no subject)" : message.subject
    return TerminalRow(
      id: message.messageID, oneLine(subject), detail: oneLine(message.otherPartyName),
      style: message.isUnread ? .strong : .plain)
  }

  /// Returns the row of a found post, with its thread and the words around the first match.
  static func found(_ post: FoundPost) -> TerminalRow {
    let title = post.threadTitle.isEmpty ? "Thread" : oneLine(post.threadTitle)
    let page = ForumThread.pageCount(forPosts: post.place)
    return TerminalRow(
      id: "\(post.postID) \(post.threadID) \(page)",
      "\(title)\n\(oneLine(post.authorName)): \(oneLine(post.excerpt))")
  }

  /// Returns the line with a message's other party, followed by its text.
  static func openMessage(_ message: MessageRow) -> [TerminalRow] {
    let party = "\(message.isSent ? "To" : "From") \(oneLine(message.otherPartyName))"
    let text =
      message.bodyHTML.map(readable)
      ?? "(The text is not stored yet. Open the message in a browser.)"
    return [
      TerminalRow(
        id: "head \(message.messageID)", party, detail: oneLine(message.printedDate),
        style: .heading),
      TerminalRow(id: message.messageID, text, wraps: true),
    ]
  }

  private static func text(of post: PostRow) -> String {
    post.isIgnored ? "(You are ignoring this author.)" : readable(post.bodyHTML)
  }

  private static func readable(_ markup: String) -> String {
    // If a body cannot be parsed, its markup is shown.
    let tree = try? HTMLParser.parse("<!DOCTYPE html><body>\(markup)")
    let text = (tree?.body.readableText ?? markup).trimmingCharacters(in: .whitespacesAndNewlines)
    // Several empty lines are reduced to one.
    return text.split(separator: "\n", omittingEmptySubsequences: false).reduce(into: [Substring]())
    { lines, line in
      let isEmpty = line.allSatisfy(\.isWhitespace)
      if !isEmpty || lines.last?.isEmpty == false { lines.append(isEmpty ? "" : line) }
    }.joined(separator: "\n")
  }

  private static func oneLine(_ text: String) -> String {
    text.split { $0.isNewline }.joined(separator: " ")
  }
}
