import ArgumentParser
import CommandParts
import Foundation
import KanoraCore
import KanoraWeb
import WebPages

/// Shows the library on web pages, with live updates.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the library in a browser.",
    discussion: """
      Only browsers on this computer that open the printed address have access. On SIGINT or SIGTERM, the \
      command finishes the requests in progress and exits.
      """)

  @OptionGroup var store: StoreOptions

  @Option(help: "The port on the loopback address; 0 selects a free port.")
  var port: UInt16 = 0

  func run() async throws {
    let store = try store.openOrMake()
    let lists = LiveLists()
    let site = WebSite(LibraryPages(of: store, lists: lists), lists: lists, port: port)
    try await Terminal.reporting {
      try await StopSignals.serving { "Open \(try await site.start())" }
      await site.stop(within: StopSignals.gracePeriod)
    }
  }
}
