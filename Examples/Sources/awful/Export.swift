import ArgumentParser
import AwfulCore
import AwfulWeb
import Foundation
import CommandParts

/// Writes a stored thread as one document.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Export a stored thread as an HTML or JSON document.")

  /// The format of the document.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case html, json
  }

  @OptionGroup var store: StoreOptions

  @Option(name: .customLong("thread"), help: "The thread's id.")
  var threadID: String

  @Option(help: "The format of the document.")
  var format = Format.html

  @Option(
    name: .shortAndLong, help: "The file to write. If omitted, the document is printed.",
    completion: .file(), transform: Input.path)
  var output: String?

  @Option(help: "The site's address, which completes relative links in posts.")
  var baseURL: String?

  func validate() throws {
    if let baseURL { try SiteAccess.check(baseURL) }
  }

  func run() throws {
    let lists = try ForumLists(store.openExisting())
    try Terminal.reporting {
      let document = try ThreadDocument(
        ofThread: threadID, in: lists, base: baseURL.flatMap { URL(string: $0) })
      let data = format == .html ? Data(document.html.utf8) : try document.json()
      try Output.write(data, to: output)
    }
  }
}
