import ArgumentParser
import AwfulCore
import Foundation
import OpenPersistenceKit
import CommandParts

/// Searches the stored posts for words.
struct Search: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Search the stored posts for words.",
    discussion: """
      Case and accents make no difference. "Quoted words" are a phrase, word* a beginning; OR and NOT stand between words. The most \
      relevant posts come first.
      """)

  @Argument(help: "The words.")
  var words: [String]

  @OptionGroup var store: StoreOptions

  @Option(help: "Search in a forum, by its id.")
  var forum: String?

  @Option(help: "Search in a thread, by its id.")
  var thread: String?

  @Flag(help: "Search in bookmarked threads.")
  var bookmarks = false

  @Option(help: "The page of fifty posts, from 1.")
  var page = 1

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if page < 1 { throw ValidationError("--page must be 1 or more.") }
    if [forum != nil, thread != nil, bookmarks].count(where: \.self) > 1 {
      throw ValidationError("--forum, --thread and --bookmarks exclude each other.")
    }
    if search.isEmpty { throw ValidationError("There is no word to search for.") }
  }

  private var search: PostSearch {
    let scope: PostSearch.Scope =
      if let forum { .forum(forum) } else if let thread { .thread(thread) } else if bookmarks {
        .bookmarks
      } else { .everywhere }
    return PostSearch(words.joined(separator: " "), in: scope)
  }

  func run() throws {
    let store = try store.openExisting()
    let found = try Terminal.reporting {
      try store.performBatchOperation { try search.posts(page: page, in: $0) }
    }
    if json { return try Output.printJSON(found.posts) }
    for post in found.posts {
      let date = post.date.map { $0.formatted(.iso8601) } ?? ""
      print(Terminal.printable("\(post.postID)  \(post.threadTitle)  \(post.authorName)  \(date)"))
      print("    " + Terminal.printable(post.excerpt))
    }
    if found.posts.isEmpty { print("No stored post has these words.") }
    if found.hasMore { print("More with --page \(page + 1).") }
  }
}
