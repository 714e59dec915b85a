import ArgumentParser
import AwfulCore
import CoreData

/// Shows the stored forums as a tree, with the number of their stored threads.
struct Forums: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Show the stored forums.")

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let lists = try ForumLists(store.openExisting())
    if json { return try Output.printJSON(try lists.forums()) }
    var group: String?
    for row in try lists.forums() {
      if row.groupName != group {
        group = row.groupName
        print(Terminal.printable(row.groupName))
      }
      let indent = String(repeating: "  ", count: row.depth)
      let unread = row.unreadThreadCount > 0 ? ", \(row.unreadThreadCount) with unread posts" : ""
      print(
        "\(indent)\(row.forumID)  \(Terminal.printable(row.name)) "
          + "(\(row.threadCount) threads\(unread))")
    }
  }
}
