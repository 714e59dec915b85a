import ArgumentParser
import AwfulCore
import CoreData
import WebPages
import CommandParts

/// Shows the stored forums as a tree, with the numbers of stored threads.
struct Forums: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Show the stored forums.")

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws { try Self.show(store.openExisting(), json: json) }

  /// Prints the forums of a store.
  static func show(_ store: ForumStore, json: Bool) throws {
    let lists = ForumLists(store)
    if json { return try Output.printJSON(try lists.forums()) }
    for group in try lists.forums().byGroup {
      print(Terminal.line(group.name))
      for row in group.forums { print(line(row)) }
    }
  }

  private static func line(_ row: ForumRow) -> String {
    let indent = String(repeating: "  ", count: row.depth)
    let unread = row.unreadThreadCount > 0 ? ", \(row.unreadThreadCount) with unread posts" : ""
    return "\(indent)\(row.forumID)  \(Terminal.line(row.name)) "
      + "(\(Wording.count(row.threadCount, "thread"))\(unread))"
  }
}
