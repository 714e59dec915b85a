import ArgumentParser
import AwfulCore
import AwfulTerminal
import Foundation

/// Shows what is stored in a terminal, live.
struct Read: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Read what is stored in a terminal.",
    discussion: "Without a terminal, the forums are printed as by 'awful forums'.")

  @OptionGroup var store: StoreOptions

  func run() async throws {
    do {
      if try await ForumReader(store.openExisting()).run() { return }
    } catch let error as ExitCode {
      throw error
    } catch {
      Terminal.complain("\(error)")
      throw ExitCode.failure
    }
    try Forums.parse(["--store", store.path]).run()
  }
}
