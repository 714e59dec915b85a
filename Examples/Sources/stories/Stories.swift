import ArgumentParser
import CommandParts
import CoreData
import Foundation
import StoriesCore

/// The command line of the reading application.
@main
struct Stories: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "stories", abstract: "A library of stories for children.",
    version: ExampleVersion.text,
    subcommands: [
      New.self, List.self, Read.self, Serve.self, Collections.self, Profile.self, Export.self,
      Import.self, Backup.self, Restore.self, Stats.self, Cache.self, Log.self,
    ])
}

/// The location of a command's library.
struct StoreOptions: ParsableArguments {
  @Option(
    name: .customLong("store"),
    help: "The library's file. If omitted, the library in the data folder is used.",
    completion: .file(), transform: Input.path)
  var path: String?

  @Flag(name: .customLong("verbose-sql"), help: "Print each SQL statement to standard error.")
  var isVerbose = false

  /// Returns the library's file.
  func file() throws -> URL {
    try Terminal.reporting { try path.map { URL(filePath: $0) } ?? StoriesStore.standardFile() }
  }

  private var options: StoriesStore.Options {
    var options = StoriesStore.Options()
    if isVerbose { options.statementObserver = StatementObserver { Terminal.complain($0) } }
    return options
  }

  /// Opens the library, and creates it if it does not exist.
  func openOrMake() throws -> StoriesStore {
    let file = try file()
    return try Terminal.reporting { try StoriesStore(.file(file), options: options) }
  }

  /// Returns the operations on a library, which read stories through the cache of the library's file.
  func makeLibrary(_ store: StoriesStore) throws -> StoryLibrary {
    let folder = StoriesStore.cacheFolder(for: try file())
    do {
      return try StoryLibrary(store, cacheFolder: folder)
    } catch {
      // A cache that cannot be used only slows down reading.
      Terminal.complain("\(folder.path): \(error.localizedDescription)")
      return try StoryLibrary(store)
    }
  }

  /// Opens the library, which must exist.
  func openExisting() throws -> StoriesStore {
    let file = try file()
    return try Terminal.reporting { try StoriesStore.openExisting(file, options: options) }
  }
}
