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
      Case and accents are ignored. Put a phrase in "quotation marks", write word* for all words with that beginning, and join words \
      with OR and NOT. The most relevant posts come first.
      """)

  @Argument(help: "The words to search for.")
  var words: [String]

  @OptionGroup var store: StoreOptions

  @Option(help: "Search only the forum with this id.")
  var forum: String?

  @Option(help: "Search only the thread with this id.")
  var thread: String?

  @Flag(help: "Search only bookmarked threads.")
  var bookmarks = false

  @Option(help: "The page of 50 posts to show. The first page is 1.")
  var page = 1

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if page < 1 { throw ValidationError("--page must be 1 or more.") }
    if [forum != nil, thread != nil, bookmarks].count(where: \.self) > 1 {
      throw ValidationError("--forum, --thread, and --bookmarks cannot be combined.")
    }
    if search.isEmpty { throw ValidationError("The search contains no words.") }
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
      print(Terminal.line("\(post.postID)  \(post.threadTitle)  \(post.authorName)  \(date)"))
      print("    " + Terminal.line(post.excerpt))
    }
    if found.posts.isEmpty { print("No stored posts contain these words.") }
    if found.hasMore { print("To see more posts, use --page \(page + 1).") }
  }
}
