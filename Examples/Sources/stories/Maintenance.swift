import ArgumentParser
import CommandParts
import Foundation
import OpenPersistenceKit
import StoriesCore
import WebPages

/// Writes the library as JSON.
struct Export: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Export the library as JSON.")

  @OptionGroup var store: StoreOptions

  @Option(
    name: .shortAndLong, help: "The file to write. If omitted, the JSON is printed.",
    completion: .file(), transform: Input.path)
  var output: String?

  func run() async throws {
    let store = try store.openExisting()
    try await Terminal.reporting {
      let data = try await StoryExchange(store).export()
      try Output.write(data, to: output)
    }
  }
}

/// Reads a library from JSON.
struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Import a JSON file into the library.",
    discussion: """
      Stories with the same ids are replaced. The profile is imported only if the library has none, or a blank one. If the file is \
      invalid, nothing is imported.
      """)

  @OptionGroup var store: StoreOptions

  @Argument(help: "The file to import.", completion: .file(), transform: Input.path)
  var input: String

  func run() async throws {
    // Reads the file first, so that an unreadable file does not create a library.
    let data = try Terminal.reporting { try StoryExchange.content(of: URL(filePath: input)) }
    let store = try store.openOrMake()
    let report = try await Terminal.reporting {
      try await StoryExchange(store).importLibrary(data)
    }
    print(
      "\(Wording.count(report.added, "new story", plural: "new stories")), \(report.replaced) replaced, "
        + "\(Wording.count(report.collections, "collection")), "
        + "\(Wording.count(report.achievements, "new achievement")).")
    if report.keptProfile {
      print("The profile of the library was kept. It differs from the profile in the file.")
    }
  }
}

/// Creates a backup.
struct Backup: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Back up the library.")

  @OptionGroup var store: StoreOptions

  @Option(help: "The number of backups to keep. If omitted, all backups are kept.")
  var keep: Int?

  func validate() throws {
    if let keep, keep < 1 { throw ValidationError("--keep must be 1 or more.") }
  }

  func run() throws {
    let store = try store.openExisting()
    let backup = try Terminal.reporting { try store.makeBackup(keeping: keep) }
    print(backup.url.path)
  }
}

/// Replaces the library with the newest backup.
struct Restore: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Replace the library with the newest backup.",
    discussion: "No other program may have the library open. The backup is kept.")

  @OptionGroup var store: StoreOptions

  func run() throws {
    let file = try store.file()
    let backup = try Terminal.reporting { try StoriesStore.restore(to: file) }
    print("Restored \(backup.url.path)")
  }
}

/// Shows the number of objects and the disk space.
struct Stats: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the number of stored objects and their size.", aliases: ["storage"])

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let store = try store.openExisting()
    let usage = try Terminal.reporting { try store.usage() }
    if json { return try Output.printJSON(usage) }
    print("Stories: \(usage.stories), pages: \(usage.pages)")
    print("Collections: \(usage.collections), achievements: \(usage.achievements)")
    print("The files take up \(usage.storeBytes) bytes.")
    print("Backups: \(usage.backups), \(usage.backupBytes) bytes")
  }
}

/// Shows or clears the cached stories.
struct Cache: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the number and size of the cached stories, and the hits and misses.")

  @OptionGroup var store: StoreOptions

  @Flag(help: "Delete the cached stories, and set the hits and misses to zero.")
  var clear = false

  func run() async throws {
    let store = try store.openExisting()
    let folder = StoriesStore.cacheFolder(for: try self.store.file())
    try await Terminal.reporting {
      let library = try StoryLibrary(store, cacheFolder: folder)
      guard let files = library.fileCache else { return }
      if clear { await library.clearCaches() }
      let statistics = files.totalStatistics
      print("Cached stories: \(statistics.count), \(files.size) bytes")
      print("Hits: \(statistics.hits), misses: \(statistics.misses)")
      print(Terminal.line("Folder: \(folder.path)"))
    }
  }
}

/// Shows the log of operations.
struct Log: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the log of operations on the library, newest first.")

  @OptionGroup var store: StoreOptions

  @Option(help: "The maximum number of operations to show.")
  var limit = 100

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be 1 or more.") }
  }

  func run() throws {
    let entries = try store.openExisting().log.entries(limit: limit)
    if json { return try Output.printJSON(entries) }
    for entry in entries {
      let failure = entry.failure.map { " FAILED: \($0)" } ?? ""
      print(
        Terminal.line(
          "\(entry.date.formatted(.iso8601))  \(entry.operation)  \(entry.subject)\(failure)"))
    }
  }
}
