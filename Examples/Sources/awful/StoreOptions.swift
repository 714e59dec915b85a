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

  private var file: URL { URL(filePath: path) }

  /// Whether the store exists.
  var isPresent: Bool { FileManager.default.fileExists(atPath: file.path) }

  /// Opens the store, and creates it if it does not exist.
  func openOrMake() throws -> ForumStore {
    try showingUpgrade("") {
      try ForumStore.openOrMake(file, options: options, progress: $0)
    }
  }

  /// Opens the existing store.
  func openExisting() throws -> ForumStore {
    try showingUpgrade("") {
      try ForumStore.openExisting(file, options: options, progress: $0)
    }
  }

  /// Opens the personal store beside the store, and creates it if it does not exist.
  func openPersonal() throws -> PersonalStore {
    try showingUpgrade(" of drafts") {
      try PersonalStore.openOrMake(beside: file, options: options, progress: $0)
    }
  }

  /// Opens the personal store beside the store; returns nil if it does not exist.
  func openPersonalIfPresent() throws -> PersonalStore? {
    try showingUpgrade(" of drafts") {
      try PersonalStore.openIfPresent(beside: file, options: options, progress: $0)
    }
  }

  /// Opens a store, and shows on standard error how far it is upgraded.
  ///
  /// - Parameter part: The text after the name of each phase.
  private func showingUpgrade<Store>(
    _ part: String, _ open: (@escaping UpgradeProgress.Handler) throws -> Store
  ) throws -> Store {
    let meter = ProgressMeter(Terminal.isErrorInteractive ? .bar : .lines) {
      Terminal.writeError($0)
    }
    return try Terminal.reporting {
      defer { meter.finish() }
      return try open { step in
        meter.show("\(step.phase.rawValue)\(part)", done: step.done, total: step.total)
        return true
      }
    }
  }
}
