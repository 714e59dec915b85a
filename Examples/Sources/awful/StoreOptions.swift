import ArgumentParser
import AwfulCore
import Foundation
import CommandParts

/// The location of a command's store.
struct StoreOptions: ParsableArguments {
  @Option(name: .customLong("store"), help: "The store file.", completion: .file())
  var path: String

  /// Opens the store, and creates it if it does not exist.
  func openOrMake() throws -> ForumStore {
    try Terminal.reporting { try ForumStore.openOrMake(URL(filePath: path)) }
  }

  /// Opens the existing store.
  func openExisting() throws -> ForumStore {
    try Terminal.reporting { try ForumStore.openExisting(URL(filePath: path)) }
  }

  /// Opens the personal store beside the store, and creates it if it does not exist.
  func openPersonal() throws -> PersonalStore {
    try Terminal.reporting { try PersonalStore.openOrMake(beside: URL(filePath: path)) }
  }
}
