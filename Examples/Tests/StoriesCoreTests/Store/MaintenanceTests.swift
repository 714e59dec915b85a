import Foundation
import OpenPersistenceKit
import StoriesCore
import SwiftData
import Testing

@Suite("Containers and maintenance")
struct MaintenanceTests {
  @Test(
    "the schema contains the models; a library is on disk or in memory, without a cloud database")
  func container() throws {
    #expect(
      Set(StoriesStore.schema.entities.map(\.name))
        == ["Story", "Page", "StoryCollection", "Achievement", "UserProfile"])
    let trial = try TrialLibrary(onDisk: true)
    let configuration = try #require(trial.store.container.configurations.first)
    #expect(configuration.cloudKitDatabase == .none)
    #expect(configuration.url == trial.folder.file)
    #expect(!configuration.isStoredInMemoryOnly)
    let memory = try StoriesStore(.memory)
    #expect(memory.container.configurations.first?.isStoredInMemoryOnly == true)
  }

  @Test("the library is in the user's data folder, also without a home folder")
  func places() throws {
    #expect(
      try StoriesStore.standardFile(environment: ["XDG_DATA_HOME": "/data"]).path
        == "/data/magical-stories/stories.store")
    #expect(
      try StoriesStore.standardFile(environment: ["XDG_DATA_HOME": "x", "HOME": "/h"]).path
        == "/h/.local/share/magical-stories/stories.store")
    #expect(
      try StoriesStore.standardCacheFolder(environment: ["HOME": "/h"]).path
        == "/h/.cache/magical-stories")
    let home = ["HOME": "/h"]
    let standard = try StoriesStore.standardFile(environment: home)
    #expect(
      StoriesStore.cacheFolder(for: standard, environment: home).path
        == "/h/.cache/magical-stories/StoryCache")
    for variables in [home, [:]] {
      let other = URL(fileURLWithPath: "/data/other.store")
      #expect(
        StoriesStore.cacheFolder(for: other, environment: variables).path
          == "/data/other.store.cache")
    }
    for environment in [[:], ["HOME": ""], ["XDG_DATA_HOME": "relative"]] {
      let error = #expect(throws: StoriesError.self) {
        try StoriesStore.standardFile(environment: environment)
      }
      #expect(error?.code == .noFolder)
      #expect(error?.message.contains("XDG_DATA_HOME") == true)
    }
  }

  @Test("opening a damaged library throws an error, and the backup restores the library")
  func damage() async throws {
    let original = try TrialFolder()
    let store = try StoriesStore(.file(original.file))
    _ = try await StoryLibrary(store).add(StoryText(title: "kept", content: "Kept."))
    try store.makeBackup()
    // The damaged file is in another folder, because a library that is still open may write its file again.
    let folder = try TrialFolder()
    try FileManager.default.copyItem(
      atPath: original.file.path + ".backups", toPath: folder.file.path + ".backups")
    try Data("This is no database, but long enough to look at.".utf8).write(to: folder.file)
    let error = #expect(throws: StoriesError.self) { try StoriesStore(.file(folder.file)) }
    #expect(error?.code == .damaged)
    #expect(error?.backups.count == 1)
    #expect(error?.description.contains("You can restore the backup") == true)
    #expect(error?.description.hasPrefix("\(folder.file.path): ") == true)
    for part in ["The library's file is damaged or is not a library.", "[damaged]"] {
      #expect(error?.description.components(separatedBy: part).count == 2, "\(part) is there once")
    }
    try StoriesStore.restore(to: folder.file)
    let library = try StoryLibrary(StoriesStore(.file(folder.file)))
    #expect(try await library.rows().map(\.title) == ["kept"])
  }

  @Test("without a backup, restoring throws an error that states it")
  func noBackup() throws {
    let folder = try TrialFolder()
    try Data(repeating: 7, count: 5000).write(to: folder.file)
    let error = #expect(throws: StoriesError.self) { try StoriesStore(.file(folder.file)) }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("There is no backup.") == true)
    let none = #expect(throws: StoriesError.self) { try StoriesStore.restore(to: folder.file) }
    #expect(none?.code == .notFound)
  }

  /// The bytes that are not 0 of a SQLite database with a write-ahead log and without tables.
  private static let databaseBytes: [Int: UInt8] = [
    16: 16, 18: 2, 19: 2, 21: 64, 22: 32, 23: 32, 27: 1, 31: 1, 95: 1, 97: 46, 98: 99, 99: 1,
    100: 13, 105: 16,
  ]

  @Test(
    "a library whose creation was interrupted is created by the next opening",
    arguments: [true, false])
  func interruptedCreation(isEmpty: Bool) async throws {
    let folder = try TrialFolder()
    var content = Data()
    if !isEmpty {
      content = Data("SQLite format 3\0".utf8) + Data(count: 4_080)
      for (place, byte) in Self.databaseBytes { content[place] = byte }
    }
    try content.write(to: folder.file)
    #expect(try MigrationManager(storeAt: folder.file).currentVersion() == nil)
    let library = try StoryLibrary(StoriesStore(.file(folder.file)))
    _ = try await library.add(StoryText(title: "new", content: "New."))
    #expect(try await library.rows().map(\.title) == ["new"])
    #expect(
      try MigrationManager(storeAt: folder.file).currentVersion() == MigrationManager.targetVersion)
  }

  @Test("the errors of an unwritable folder and a missing library are explained")
  func missing() throws {
    let folder = try TrialFolder()
    try Data().write(to: folder.url.appendingPathComponent("file"))
    let inFile = folder.url.appendingPathComponent("file/stories.store")
    let error = #expect(throws: StoriesError.self) { try StoriesStore(.file(inFile)) }
    #expect(error?.code == .notOpened)
    let missing = #expect(throws: StoriesError.self) { try StoriesStore.openExisting(folder.file) }
    #expect(missing?.code == .missingStore)
    #expect(!FileManager.default.fileExists(atPath: folder.file.path))
  }

  @Test("only the requested number of backups is kept, and an open library is not replaced")
  func backups() async throws {
    let trial = try TrialLibrary(onDisk: true)
    try await trial.add("a")
    for _ in 1...3 {
      trial.clock.advance(1)
      try trial.store.makeBackup(keeping: 2)
    }
    let backups = try #require(trial.store.backups)
    #expect(try backups.list().count == 2)
    #expect(throws: (any Error).self) { try StoriesStore.restore(to: trial.folder.file) }
    #expect(try await trial.library.rows().map(\.title) == ["a"])
    let usage = try trial.store.usage()
    #expect(usage.storeBytes > 10_000)
    #expect(usage.backupBytes > 20_000)
    #expect((usage.backups, usage.stories, usage.pages) == (2, 1, 1))
    let memory = try StoriesStore(.memory)
    #expect(try memory.usage().storeBytes == 0)
    #expect(throws: StoriesError.self) { try memory.makeBackup() }
  }

  @Test("the log lists operations and failures, newest first, including those of other programs")
  func log() async throws {
    let trial = try TrialLibrary(onDisk: true)
    let id = try await trial.add("a")[0]
    await #expect(throws: StoriesError.self) { try await trial.library.deleteStories([UUID()]) }
    try trial.store.makeBackup()
    #expect(try OtherProgram.run(["read", trial.folder.file.path, id.uuidString, "1"]) == 0)
    let entries = trial.store.log.entries()
    #expect(entries.map(\.operation) == ["read", "back up", "delete stories", "add story"])
    #expect(entries.map { $0.failure == nil } == [true, true, false, true])
    #expect(entries[3].subject == "a")
    #expect(entries[3].date == trial.clock.now)
    #expect(trial.store.log.entries(limit: 1).count == 1)
  }

  @Test("a negative number of lines is none, and an age beyond all dates deletes no history")
  func extremeNumbers() async throws {
    let memory = try StoriesStore(.memory)
    _ = try await StoryLibrary(memory).add(StoryText(title: "a", content: "A."))
    #expect(memory.log.entries(limit: -1).isEmpty)
    let trial = try TrialLibrary(onDisk: true)
    try await trial.add("a")
    try trial.store.forgetHistory(olderThan: 1e20)
    #expect(trial.store.log.entries(limit: 1).map(\.subject) == ["100000000000000000000 s"])
  }

  @Test("a log with unreadable lines returns the other lines, and its size is limited")
  func logLimits() async throws {
    let trial = try TrialLibrary(onDisk: true)
    let url = trial.folder.file.appendingPathExtension("log")
    try Data("no line\n{\"date\": 1}\n".utf8).write(to: url)
    try await trial.add("a")
    #expect(trial.store.log.entries().map(\.subject) == ["a"])
    try Data(repeating: UInt8(ascii: "x"), count: 2 << 20).write(to: url)
    try await trial.add("b", "c")
    #expect(trial.store.log.entries().map(\.subject) == ["c", "b"])
    let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber
    #expect((size?.intValue ?? .max) < 10_000)
  }
}
