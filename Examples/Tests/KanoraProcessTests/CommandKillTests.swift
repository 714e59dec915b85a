import AudioSamples
import CoreData
import Foundation
import KanoraCore
import KanoraSamples
import OpenPersistenceKit
import StoreSharing
import Testing

/// Commands killed at any moment: a migration continues, and an import or an edit is complete or did not happen.
@Suite("Kills of commands", .serialized)
struct CommandKillTests {
  private let folder: URL
  private let file: URL

  init() throws {
    folder = try AudioSamples.newFolder()
    file = folder.appendingPathComponent("store/Kanora.sqlite")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
  }

  @Test("a migration that is killed continues when the library is opened, and loses no data")
  func migration() async throws {
    let former = FormerLibrary(version: 1, artistCount: 60)
    try former.write(to: file)
    let command = ["stats", "--store", file.path]
    var trial = try KilledCommands(file)
    let whole = try trial.time(command)
    for round in 0..<KillPlan.count(4) {
      try trial.reset()
      // One to three kills before the end of the migration.
      for _ in 0...trial.below(3) { try await trial.kill(command, within: whole) }
      let store = try KanoraStore.openExisting(file)
      #expect(try FormerLibrary.lines(of: store) == former.expectedLines, "round \(round)")
      #expect(try LibraryCheck().storeFindings(in: store).isEmpty, "round \(round)")
      #expect(try KanoraModel.migration(of: file).interrupted == nil, "round \(round)")
    }
    trial.tell("migration", whole)
  }

  @Test("a killed import is complete or did not happen, and can be repeated")
  func imports() async throws {
    let other = folder.appendingPathComponent("other.sqlite")
    try FormerLibrary(version: 1, artistCount: 150).write(to: other)
    let document = folder.appendingPathComponent("library.json")
    try Self.document(of: KanoraStore.openExisting(other)).write(to: document)
    try makeSamples()
    let before = try Self.document(of: KanoraStore.openExisting(file))
    let command = ["import", document.path, "--store", file.path]
    var trial = try KilledCommands(file)
    let whole = try trial.time(command)
    let after = try Self.document(of: KanoraStore.openExisting(file))
    #expect(before != after)
    var finished = 0
    for round in 0..<KillPlan.count(4) {
      try trial.reset()
      try await trial.kill(command, within: whole)
      let found = try Self.document(of: KanoraStore.openExisting(file))
      #expect(found == before || found == after, "round \(round)")
      finished += found == after ? 1 : 0
      let store = try KanoraStore.openExisting(file)
      #expect(try LibraryCheck().storeFindings(in: store).isEmpty, "round \(round)")
      #expect(try trial.run(command) == 0)
      #expect(try Self.document(of: KanoraStore.openExisting(file)) == after, "round \(round)")
    }
    trial.tell("import, of which \(finished) were saved", whole)
  }

  @Test("a killed edit or playlist change is complete or did not happen")
  func edits() async throws {
    try FormerLibrary(version: 1, artistCount: 80).write(to: file)
    let playlist = FormerLibrary.id(0).uuidString
    func edit(_ number: Int) -> [String] {
      [
        "edit", "path:/music", "--set", "genre=Genre \(number)", "--set", "album=Album \(number)",
        "--number-from", "\(number)", "--apply", "--store", file.path,
      ]
    }
    let add = ["playlist", "add", playlist, "path:/music", "--store", file.path]
    var trial = try KilledCommands(file)
    #expect(try trial.run(edit(0)) == 0)
    let wholes = try [trial.time(edit(1)), trial.time(add)]
    var last = try LibraryState(file)
    #expect((last.edits, last.itemCount) == (["Genre 1|Album 1"], 81))
    for round in 0..<KillPlan.count(4) {
      let number = round + 2
      let isEdit = round % 2 == 0
      try await trial.kill(isEdit ? edit(number) : add, within: wholes[isEdit ? 0 : 1])
      let state = try LibraryState(file)
      let (edits, items) =
        isEdit
        ? (["Genre \(number)|Album \(number)"], last.itemCount) : (last.edits, last.itemCount + 80)
      #expect(state == last || (state.edits, state.itemCount) == (edits, items), "round \(round)")
      #expect(state.problems.isEmpty, "round \(round)")
      last = state
      // Changes of playlists would take longer and longer.
      if last.itemCount > 400 {
        let positions = (2...last.itemCount).map(String.init)
        #expect(
          try trial.run(["playlist", "remove", playlist] + positions + ["--store", file.path]) == 0)
        last = try LibraryState(file)
      }
    }
    trial.tell("edits and playlists", wholes[0])
  }

  private func makeSamples() throws {
    let store = try KanoraStore.openOrMake(file)
    try store.performBatchOperation { _ = try SampleLibrary.fill($0) }
  }

  private static func document(of store: KanoraStore) throws -> Data {
    try store.performBatchOperation { try LibraryDocument(in: $0).data() }
  }
}

/// The result of a test's edits of a library.
private struct LibraryState: Equatable {
  /// The different genres and albums of tracks.
  let edits: Set<String>
  let itemCount: Int
  let problems: [String]

  init(_ file: URL) throws {
    let store = try KanoraStore.openExisting(file)
    let rows = try store.performBatchOperation { context in
      try LibraryLists.tracks(window: 0..<10_000, in: context)
    }
    edits = Set(rows.map { "\($0.genre ?? "")|\($0.album ?? "")" })
    itemCount = try store.performBatchOperation { context in
      try LibraryLists.tracks(ofPlaylist: FormerLibrary.id(0), in: context).count
    }
    let kinds: Set<LibraryFinding.Kind> = [
      .trackWithoutAlbum, .albumWithoutArtist, .positions, .wrongTotals, .emptyAlbum, .emptyArtist,
    ]
    problems =
      try store.performBatchOperation { try LibraryCheck().findings(kinds, in: $0) }
      .map { "\($0)" } + LibraryCheck().storeFindings(in: store).map { "\($0)" }
  }
}

/// Runs and kills commands on a library, whose files can be restored.
private struct KilledCommands {
  private let folder: URL
  private let former: [String: Data]
  private var dice = KillDice()
  private var killed = 0
  private var count = 0

  init(_ file: URL) throws {
    let folder = file.deletingLastPathComponent()
    self.folder = folder
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    former = Dictionary(
      uniqueKeysWithValues: try names.map {
        ($0, try Data(contentsOf: folder.appendingPathComponent($0)))
      })
  }

  mutating func below(_ limit: Int) -> Int { dice.below(limit) }

  func reset() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
    for (name, data) in former { try data.write(to: folder.appendingPathComponent(name)) }
  }

  func run(_ command: [String]) throws -> Int32 {
    try TestProgram.run("kanora", command).status
  }

  func time(_ command: [String]) throws -> Duration {
    let start = ContinuousClock.now
    #expect(try run(command) == 0)
    return ContinuousClock.now - start
  }

  mutating func kill(_ command: [String], within whole: Duration) async throws {
    let process = try TestProgram.begin("kanora", command)
    count += 1
    if try await TestProgram.kill(process, after: dice.part(of: whole)) { killed += 1 }
  }

  func tell(_ name: String, _ whole: Duration) {
    print("\(name): \(killed) of \(count) killed before the end; a whole run takes \(whole)")
  }
}
