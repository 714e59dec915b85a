import ArgumentParser
import AwfulCore
import Foundation
import CommandParts

/// Where the store of a command lives.
struct StoreOptions: ParsableArguments {
  @Option(name: .customLong("store"), help: "The store's file.", completion: .file())
  var path: String

  /// Opens the store, which is made when there is none.
  func openOrMake() throws -> ForumStore {
    try Terminal.reporting { try ForumStore.openOrMake(URL(filePath: path)) }
  }

  /// Opens the store, which must exist.
  func openExisting() throws -> ForumStore {
    try Terminal.reporting { try ForumStore.openExisting(URL(filePath: path)) }
  }

  /// Opens what the reader has written and chosen, which lies beside the store; made when there is none.
  func openPersonal() throws -> PersonalStore {
    try Terminal.reporting { try PersonalStore.openOrMake(beside: URL(filePath: path)) }
  }
}
