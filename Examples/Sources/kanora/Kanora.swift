import ArgumentParser
import CommandParts
import CoreData
import Foundation
import KanoraCore

/// The command line of the music library.
@main
struct Kanora: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "kanora", abstract: "A music library.", version: ExampleVersion.text,
    subcommands: [
      Scan.self, List.self, Search.self, Browse.self, Edit.self, WriteTags.self, RestoreTags.self,
      Playlists.self, Undo.self, Redo.self, Duplicates.self, Gaps.self, Export.self, Import.self,
      Stats.self, Check.self, Serve.self,
    ])
}

/// The location of a command's store.
struct StoreOptions: ParsableArguments {
  @Option(
    name: .customLong("store"), help: "The store file. By default, the user's library.",
    completion: .file(), transform: Input.path)
  var path: String?

  @Flag(name: .customLong("verbose-sql"), help: "Print each SQL statement to standard error.")
  var isVerbose = false

  private var options: [String: NSObject] {
    guard isVerbose else { return [:] }
    return [OpenStatementObserverOption: StatementObserver { Terminal.complain($0) }]
  }

  private var file: URL {
    path.map { URL(filePath: $0) } ?? KanoraFolders.data().appendingPathComponent("Kanora.sqlite")
  }

  /// Opens the store, and creates it if it does not exist.
  func openOrMake() throws -> KanoraStore {
    try Terminal.reporting { try KanoraStore.openOrMake(file, options: options) }
  }

  /// Opens the store, which must exist.
  func openExisting() throws -> KanoraStore {
    try Terminal.reporting { try KanoraStore.openExisting(file, options: options) }
  }

  /// Opens the store, which must exist, for actions.
  func openDesk() throws -> LibraryDesk { Self.desk(of: try openExisting()) }

  /// Returns the desk of a store, which prints a warning after an action that 'kanora undo' cannot undo.
  static func desk(of store: KanoraStore) -> LibraryDesk {
    LibraryDesk(
      store,
      reportUnrecorded: { name in
        Terminal.complain(
          "“\(name)” changed too many objects to be recorded. 'kanora undo' can undo neither this action nor earlier ones."
        )
      })
  }
}
