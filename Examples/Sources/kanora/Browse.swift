import ArgumentParser
import CommandParts
import KanoraCore
import KanoraTerminal

/// Shows the library in a terminal, live.
struct Browse: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Browse the library in a terminal.",
    discussion: "Without a terminal, prints the tracks in the same way as 'kanora list'.")

  @OptionGroup var store: StoreOptions

  func run() async throws {
    let store = try store.openExisting()
    let wasShown = try await Terminal.reporting { try await LibraryBrowser(store).run() }
    if !wasShown { try TrackPrinter.show(TrackFilter(), of: store, json: false) }
  }
}
