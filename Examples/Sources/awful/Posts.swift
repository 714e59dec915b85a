import ArgumentParser
import AwfulCore
import ForumHTML
import Foundation
import CommandParts

/// Shows the stored posts of a thread.
struct Posts: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Show the stored posts of a thread.")

  @OptionGroup var store: StoreOptions

  @Option(name: .customLong("thread"), help: "The thread's id.")
  var threadID: String

  @Option(help: "Show only this page of 40 posts. The first page is 1.")
  var page: Int?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if let page, page < 1 { throw ValidationError("--page must be 1 or more.") }
  }

  func run() throws {
    let lists = try ForumLists(store.openExisting())
    do {
      let rows = try lists.posts(threadID: threadID, page: page)
      if json { return try Output.printJSON(rows) }
      for row in rows { try show(row) }
    } catch let error as ForumStoreError {
      Terminal.complain("\(error)")
      throw ExitCode.failure
    }
  }

  private func show(_ row: PostRow) throws {
    let mark = row.isSeen ? "" : " *"
    print(
      Terminal.line(
        "#\(row.place)\(mark)  \(row.authorName), \(row.printedDate)  \(row.postID)"))
    let text = try HTMLParser.parse("<html><body>\(row.bodyHTML)</body></html>").body.readableText
    for line in text.split(separator: "\n") { print("    \(Terminal.line(String(line)))") }
    print("")
  }
}
