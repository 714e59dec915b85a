import Foundation
import OpenPersistenceKit
import StoriesCore
import SwiftData
import Testing

@Suite("Migration of libraries")
struct MigrationTests {
  enum Way: CaseIterable, Sendable { case plan, manager }

  private let folder: TrialFolder
  private let former: FormerLibrary

  init() throws {
    folder = try TrialFolder()
    former = FormerLibrary(file: folder.file)
  }

  private func migrate(_ way: Way) async throws {
    if way == .manager { _ = try await MigrationManager(storeAt: folder.file).migrateIfNeeded() }
  }

  @Test(
    "a library of the first version keeps all contents; duplicates are merged",
    arguments: Way.allCases)
  func content(_ way: Way) async throws {
    try former.write()
    try await migrate(way)
    let store = try StoriesStore(.file(folder.file))
    #expect(try FormerLibrary.lines(store) == FormerLibrary.expected())
    let context = ModelContext(store.container)
    let stories = try context.fetch(FetchDescriptor<Story>())
    #expect(Set(stories.map(\.id)).count == stories.count)
    #expect(stories.contains { $0.id == FormerLibrary.id(1) && $0.readCount == 9 })
    let pages = try context.fetch(FetchDescriptor<Page>())
    #expect(Set(pages.map(\.id)).count == pages.count)
    #expect(pages.allSatisfy { $0.story != nil && !$0.text.isEmpty })
  }

  @Test("duplicates in a file of the first version get the same ids as in a migration")
  func importedIDs() async throws {
    try former.write()
    let store = try StoriesStore(.file(folder.file))
    let stories = [(FormerLibrary.text(1), 60), ("Another text.", 30_060)].map { text, date in
      let id = FormerLibrary.id(1).uuidString
      return
        #"{"id": "\#(id)", "title": "Story 1", "content": "\#(text)", "createdAt": \#(date)}"#
    }
    let file = """
      {"format": "magical-stories", "version": 1, "stories": [\(stories.joined(separator: ", "))]}
      """
    let report = try await StoryExchange(store).importLibrary(Data(file.utf8))
    #expect(report == ImportReport(added: 0, replaced: 2))
  }

  @Test("the version is read from the file; an up-to-date store is not changed")
  func versions() async throws {
    let manager = MigrationManager(storeAt: folder.file)
    #expect(try manager.currentVersion() == nil)
    #expect(try await manager.migrateIfNeeded() == nil)
    try former.write()
    #expect(try manager.currentVersion() == Schema.Version(1, 0, 0))
    let report = try #require(try await manager.migrateIfNeeded())
    #expect((report.from, report.to) == (Schema.Version(1, 0, 0), Schema.Version(2, 0, 0)))
    #expect(try manager.currentVersion() == MigrationManager.targetVersion)
    let content = try Data(contentsOf: folder.file)
    #expect(try await manager.migrateIfNeeded() == nil)
    #expect(try Data(contentsOf: folder.file) == content)
    #expect(try StoreBackups(ofStoreAt: folder.file).list().count == 1)
  }

  @Test(
    "the file of the first version is kept as a backup, which can be restored",
    arguments: Way.allCases)
  func backup(_ way: Way) async throws {
    try former.write()
    let titles = try FormerLibrary.formerTitles(folder.file)
    try await migrate(way)
    _ = try StoriesStore(.file(folder.file))
    let backups = try StoreBackups(ofStoreAt: folder.file).list()
    #expect(backups.count == 1)
    #expect(try FormerLibrary.formerTitles(backups[0].storeURL) == titles)
    _ = try StoriesStore(.file(folder.file))
    #expect(try StoreBackups(ofStoreAt: folder.file).list().count == 1)
    try StoriesStore.restore(backups[0], to: folder.file)
    #expect(try FormerLibrary.formerTitles(folder.file) == titles)
    #expect(try FormerLibrary.lines(StoriesStore(.file(folder.file))) == FormerLibrary.expected())
  }

  @Test(
    "a library in between, filled or not, is brought to its end by either way",
    arguments: Way.allCases)
  func between(_ way: Way) async throws {
    try former.write()
    do {
      // As a process leaves it that is killed after the first step.
      let schema = Schema(versionedSchema: StoriesSchemaBridge.self)
      let container = try ModelContainer(
        for: schema, configurations: [ModelConfiguration(schema: schema, url: folder.file)])
      let context = ModelContext(container)
      #expect(try context.fetchCount(FetchDescriptor<StoriesSchemaBridge.Story>()) == 14)
    }
    #expect(try MigrationManager(storeAt: folder.file).currentVersion() == Schema.Version(1, 1, 0))
    try await migrate(way)
    #expect(try FormerLibrary.lines(StoriesStore(.file(folder.file))) == FormerLibrary.expected())
  }

  @Test("a library of a newer version is not changed")
  func newer() throws {
    do {
      let schema = Schema(versionedSchema: Future.self)
      _ = try ModelContainer(
        for: schema, configurations: [ModelConfiguration(schema: schema, url: folder.file)])
    }
    let error = #expect(throws: StoriesError.self) { try StoriesStore(.file(folder.file)) }
    #expect(error?.code == .newer)
    #expect(try MigrationManager(storeAt: folder.file).currentVersion() == Schema.Version(9, 0, 0))
  }

  // MARK: Kills

  /// The number of kills; 300 take some minutes.
  private static var killCount: Int {
    Int(ProcessInfo.processInfo.environment["STORIES_KILLS"] ?? "") ?? 3
  }

  private static var seed: UInt64 {
    UInt64(ProcessInfo.processInfo.environment["STORIES_KILL_SEED"] ?? "") ?? 3
  }

  @Test("a migration that is killed at any moment starts again, and loses no data")
  func kills() async throws {
    print("kills: \(Self.killCount), seed \(Self.seed)")
    var numbers = SeededNumbers(Self.seed)
    try former.write(stories: 60)
    let original = try Data(contentsOf: folder.file)
    let titles = try FormerLibrary.formerTitles(folder.file)
    var whole: [String: Duration] = [:]
    for command in ["migrate", "manage"] {
      let start = ContinuousClock.now
      #expect(try OtherProgram.run([command, folder.file.path]) == 0)
      whole[command] = ContinuousClock.now - start
      try reset(original)
    }
    var killed = 0
    for round in 0..<Self.killCount {
      try reset(original)
      // One to three kills before a migration comes to its end, by either way.
      for _ in 0...(numbers.next() % 3) {
        let command = numbers.next() % 2 == 0 ? "migrate" : "manage"
        let share = Double(numbers.next() % 1000) / 1000
        killed += try await kill(command, after: (whole[command] ?? .zero) * share) ? 1 : 0
      }
      let store = try StoriesStore(.file(folder.file))
      let lines = try FormerLibrary.lines(store)
      #expect(lines == FormerLibrary.expected(stories: 60), "round \(round)")
      let backups = try StoreBackups(ofStoreAt: folder.file).list()
      let kept = try backups.map { try FormerLibrary.formerTitles($0.storeURL) }
      #expect(kept.contains(titles), "round \(round)")
    }
    print("killed before the end: \(killed)")
  }

  private func reset(_ original: Data) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name))
    }
    try original.write(to: folder.file)
  }

  /// - Returns: Whether the program was still running.
  private func kill(_ command: String, after delay: Duration) async throws -> Bool {
    let process = try OtherProgram.start([command, folder.file.path])
    try await Task.sleep(for: delay)
    let isRunning = process.isRunning
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return isRunning
  }
}

/// A version that only a newer application knows.
private enum Future: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Trinket.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(9, 0, 0) }
  @Model final class Trinket {
    var name: String
    init(name: String) { self.name = name }
  }
}

/// Numbers that follow from a seed.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
