import ArgumentParser
import CommandParts
import StoriesCore
import StoriesWeb
import WebPages

/// Shows the library on web pages, with live updates.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the library in a browser.",
    discussion: """
      Only browsers on this machine that open the printed address have access. On SIGINT or SIGTERM, the \
      command finishes the requests in progress and exits.
      """)

  @OptionGroup var store: StoreOptions

  @Option(help: "The port on the loopback address. 0 chooses a free port.")
  var port: UInt16 = 0

  func run() async throws {
    let store = try store.openOrMake()
    try? store.forgetHistory()  // The next start tries again.
    let lists = LiveLists()
    try await Terminal.reporting {
      let pages = StoryPages(of: try self.store.makeLibrary(store), lists: lists)
      let site = WebSite(pages, lists: lists, port: port)
      try await StopSignals.serving { "Open \(try await site.start())" }
      await site.stop(within: StopSignals.gracePeriod)
    }
  }
}
