import ArgumentParser
import AwfulCore
import Foundation
import WebPages
import CommandParts

/// Shows the stored threads in the order of the site's lists.
struct Threads: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Show the stored threads.")

  @OptionGroup var store: StoreOptions

  @Option(name: .customLong("forum"), help: "Show only threads of the forum with this id.")
  var forumID: String?

  @Flag(help: "Show only threads with unread posts, including threads that were never opened.")
  var unread = false

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let lists = try ForumLists(store.openExisting())
    do {
      let rows = try lists.threads(forumID: forumID, unread ? .withUnreadPosts : .all)
      if json { return try Output.printJSON(rows) }
      for row in rows { print(Self.line(row)) }
      print(Wording.count(rows.count, "thread"))
    } catch let error as ForumStoreError {
      Terminal.complain("\(error)")
      throw ExitCode.failure
    }
  }

  private static func line(_ row: ThreadRow) -> String {
    let unread = row.isOpened ? "\(row.unreadPostCount) unread" : "new"
    let marks =
      (row.isSticky ? " [sticky]" : "") + (row.isClosed ? " [closed]" : "")
      + (row.secondIconName.isEmpty ? "" : " [\(row.secondIconName)]")
    let author = row.authorName.isEmpty ? "" : " by \(row.authorName)"
    let posts = Wording.count(row.postCount, "post")
    let place = "\(posts), \(row.storedPostCount) stored, \(unread)"
    return Terminal.line("\(row.threadID)  \(row.title)\(author)\(marks) (\(place))")
  }
}
