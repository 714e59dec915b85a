import ArgumentParser
import AwfulCore
import Foundation

/// Where the store of a command lives.
struct StoreOptions: ParsableArguments {
  @Option(name: .customLong("store"), help: "The store's file.", completion: .file())
  var path: String

  /// Opens the store, which is made when there is none.
  func openOrMake() throws -> ForumStore {
    try report { try ForumStore.openOrMake(URL(filePath: path)) }
  }

  /// Opens the store, which must exist.
  func openExisting() throws -> ForumStore {
    try report { try ForumStore.openExisting(URL(filePath: path)) }
  }

  /// Says what is wrong with the store and ends the command.
  private func report(_ open: () throws -> ForumStore) throws -> ForumStore {
    do {
      return try open()
    } catch {
      Terminal.complain("\(error)")
      throw ExitCode.failure
    }
  }
}
