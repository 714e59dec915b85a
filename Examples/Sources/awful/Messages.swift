import ArgumentParser
import AwfulCore
import ForumHTML
import Foundation
import WebPages
import CommandParts

/// Shows the stored private messages of a folder.
struct Messages: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the stored private messages.",
    discussion:
      "The text of a message is stored when the message is first opened, in a browser or in another of the reader's programs."
  )

  @OptionGroup var store: StoreOptions

  @Option(
    name: .customLong("folder"), parsing: .unconditional,
    help: "The folder's id. 0 is the inbox, and -1 is the folder of sent items.")
  var folderID = PrivateMessageFolder.inboxID

  @Flag(help: "Show the folders instead of messages.")
  var folders = false

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let lists = try ForumLists(store.openExisting())
    try Terminal.reporting {
      if folders { return try showFolders(lists.messageFolders()) }
      let rows = try lists.messages(folderID: folderID)
      if json { return try Output.printJSON(rows) }
      for row in rows { try show(row) }
      print("\(Wording.count(rows.count, "message")), \(rows.count { $0.isUnread }) unread")
    }
  }

  private func showFolders(_ rows: [MessageFolderRow]) throws {
    if json { return try Output.printJSON(rows) }
    for row in rows {
      let unread = row.unreadCount > 0 ? ", \(row.unreadCount) unread" : ""
      print(Terminal.line("\(row.folderID)  \(row.name) (\(row.messageCount)\(unread))"))
    }
  }

  private func show(_ row: MessageRow) throws {
    let party = "\(row.isSent ? "to" : "from") \(row.otherPartyName)"
    let mark = row.isUnread ? " *" : ""
    print(
      Terminal.line(
        "\(row.messageID)\(mark)  \(row.subject) (\(party), \(row.printedDate))"))
    guard let body = row.bodyHTML else { return }
    let text = try HTMLParser.parse("<html><body>\(body)</body></html>").body.readableText
    for line in text.split(separator: "\n") { print("    \(Terminal.line(String(line)))") }
  }
}
