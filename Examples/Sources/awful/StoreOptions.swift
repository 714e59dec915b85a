import ArgumentParser
import AwfulCore
import CommandParts
import CoreData
import Foundation

/// The location of a command's store.
struct StoreOptions: ParsableArguments {
  @Option(
    name: .customLong("store"), help: "The store file.", completion: .file(),
    transform: Input.path)
  var path: String

  @Flag(name: .customLong("verbose-sql"), help: "Print each SQL statement to standard error.")
  var isVerbose = false

  /// The options of both stores.
  private var options: [String: NSObject] {
    isVerbose
      ? [OpenStatementObserverOption: StatementObserver { Terminal.complain($0) }] : [:]
  }

  /// Opens the store, and creates it if it does not exist.
  func openOrMake() throws -> ForumStore {
    try Terminal.reporting { try ForumStore.openOrMake(URL(filePath: path), options: options) }
  }

  /// Opens the existing store.
  func openExisting() throws -> ForumStore {
    try Terminal.reporting { try ForumStore.openExisting(URL(filePath: path), options: options) }
  }

  /// Opens the personal store beside the store, and creates it if it does not exist.
  func openPersonal() throws -> PersonalStore {
    try Terminal.reporting {
      try PersonalStore.openOrMake(beside: URL(filePath: path), options: options)
    }
  }
}
