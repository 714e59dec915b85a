import ArgumentParser
import AwfulCore
import AwfulTerminal
import Foundation
import CommandParts

/// Shows the stored content in a terminal, live.
struct Read: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Read the stored forums in a terminal.",
    discussion: "Without a terminal, the command prints the forums as 'awful forums' does.")

  @OptionGroup var store: StoreOptions

  func run() async throws {
    let store = try self.store.openExisting()
    let personal = try self.store.openPersonal()
    let reader = ForumReader(store, personal: personal)
    let viewers = StoreViewers(of: store)
    try await Terminal.reporting {
      try viewers.join()
      defer { withExtendedLifetime(viewers) {} }
      // A signal ends the reader as the quit key does, so that the terminal is restored.
      try await StopSignals.ending {
        if try await reader.run() { return }
        try Forums.show(store, json: false)
      }
    }
  }
}
