import ArgumentParser
import CommandParts
import Foundation
import KanoraCore
import KanoraWeb
import WebPages

/// Shows the library in a browser, live.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the library in a browser.",
    discussion: "Only browsers on this computer that open the printed address have access.")

  @OptionGroup var store: StoreOptions

  @Option(help: "The port on the loopback address; 0 selects a free port.")
  var port: UInt16 = 0

  func run() async throws {
    let store = try store.openOrMake()
    let lists = LiveLists()
    let site = WebSite(LibraryPages(of: store, lists: lists), lists: lists, port: port)
    let address = try await Terminal.reporting { try await site.start() }
    print("Open \(address)")
    Terminal.flush()
    try await Terminal.waitUntilEnded()
  }
}
