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
    try await Terminal.reporting {
      // A signal ends the browser as the quit key does, so that the terminal is restored.
      try await StopSignals.ending {
        if try await LibraryBrowser(store).run() { return }
        try TrackPrinter.show(TrackFilter(), of: store, json: false)
      }
    }
  }
}
