import ArgumentParser
import CommandParts
import Foundation
import StoriesCore
import StoriesTerminal

/// Shows the library in a terminal, with live updates.
struct Read: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Read stories in a terminal.",
    discussion:
      "Without a terminal, the command prints the ids and titles of the stories. With --story, it prints that story."
  )

  @OptionGroup var store: StoreOptions

  @Option(name: .customLong("story"), help: "The id of a story to print.")
  var storyID: String?

  func run() async throws {
    let store = try store.openExisting()
    let library = try Terminal.reporting { try self.store.makeLibrary(store) }
    if let storyID { return try await print(storyID, of: library) }
    try await Terminal.reporting {
      // A signal ends the browser as the quit key does, so that the terminal is restored.
      try await StopSignals.ending {
        if try await StoryBrowser(library).run() { return }
        for row in try await library.rows() {
          Swift.print(Terminal.line("\(row.id.uuidString)  \(row.title)"))
        }
      }
    }
  }

  private func print(_ text: String, of library: StoryLibrary) async throws {
    guard let id = UUID(uuidString: text) else {
      Terminal.complain("“\(text)” is not the id of a story. To see the ids, run 'stories list'.")
      throw ExitCode.failure
    }
    let story = try await Terminal.reporting { try await library.story(id) }
    Swift.print(Terminal.printable(story.title))
    for page in story.pages { Swift.print("\n" + Terminal.printable(page.displayText)) }
  }
}
