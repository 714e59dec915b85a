import AudioFiles
import AudioSamples
import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import StoreSharing
import Testing

/// Edits that are written to the files of a library and restored.
@Suite("Writing tags of a library", .enabled(if: Tool.areInstalled, "the encoders are absent"))
struct TagWritingTests {
  private let folder: URL
  private let store: KanoraStore
  private let writing: TagWriting

  init() throws {
    folder = try AudioSamples.newFolder()
    let file = folder.appendingPathComponent("Kanora.sqlite")
    store = try KanoraStore.openOrMake(file)
    writing = TagWriting(store)
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("music"), withIntermediateDirectories: true)
  }

  private func url(_ name: String) -> URL { folder.appendingPathComponent("music/\(name)") }

  private func add(
    _ name: String, _ kind: AudioSamples.Kind, _ fields: [(name: String, value: String)],
    frequency: Double
  ) throws {
    let file = try AudioSamples.make(kind, fields, seconds: 0.2, frequency: frequency)
    try FileManager.default.moveItem(at: file, to: url(name))
  }

  @discardableResult
  private func scan() async throws -> ScanReport {
    let scanner = LibraryScanner(store)
    let library = try await scanner.library(at: folder.appendingPathComponent("music"))
    return try await scanner.scan(library)
  }

  /// Scans, and sets a field of all tracks in the library. Returns the ids of the tracks.
  private func scan(setting field: TrackField, to value: String) async throws -> [UUID] {
    try await scan()
    let ids = try rows().map(\.id)
    try await LibraryDesk(store).edit(ids, [.set(field, value)])
    return ids
  }

  private func rows() throws -> [TrackRow] {
    try store.performBatchOperation { try LibraryLists.tracks(window: 0..<100, in: $0) }
  }

  private func tags(_ name: String) throws -> AudioTags { try AudioFile.read(url(name)).tags }

  @Test("edited fields are shown, written and restored, and a scan changes nothing in between")
  func wholeWay() async throws {
    let disc = [
      (name: "ARTIST", value: "Abba"), (name: "ALBUM", value: "Gold (Disc 2)"),
      (name: "TRACKNUMBER", value: "3/12"), (name: "GENRE", value: "Pop"),
    ]
    try add("1.flac", .flac, disc + [(name: "TITLE", value: "One")], frequency: 300)
    try add("2.mp3", .mp3, disc + [(name: "TITLE", value: "Two")], frequency: 320)
    try await scan()
    let desk = LibraryDesk(store)
    let ids = try rows().map(\.id)
    let one = try #require(try rows().first { $0.title == "One" }).id
    #expect(try await writing.preview(ids).files.isEmpty)
    try await desk.edit([one], [.set(.title, "Eins"), .set(.artist, "Agnetha")])
    try await desk.edit(ids, [.set(.album, "More Gold"), .number(from: 5), .set(.genre, "")])
    let before = try (tags("1.flac"), tags("2.mp3"))
    let preview = try await writing.preview(ids)
    #expect(preview.failures.isEmpty && preview.files.count == 2)
    let changes = try #require(preview.files.first { $0.path == url("1.flac").path }).changes
    #expect(
      changes.map { "\($0.name): \($0.old) → \($0.new)" } == [
        #"ALBUM: ["Gold (Disc 2)"] → ["More Gold"]"#, #"ALBUMARTIST: [] → ["Abba"]"#,
        #"ARTIST: ["Abba"] → ["Agnetha"]"#, #"DISCNUMBER: [] → ["2"]"#, #"GENRE: ["Pop"] → []"#,
        #"TITLE: ["One"] → ["Eins"]"#, #"TRACKNUMBER: ["3/12"] → ["5/12"]"#,
      ])
    #expect(try tags("1.flac") == before.0)

    #expect(try await writing.write(ids) == preview)
    #expect(try tags("1.flac").title == "Eins" && tags("1.flac").track == PlaceInList("5/12"))
    #expect(try tags("2.mp3").album == "More Gold" && tags("2.mp3").genre == nil)
    #expect(try await writing.preview(ids).files.isEmpty)
    let library = try rows()
    #expect(try await scan().changedCount == 2)
    #expect(try rows() == library)

    #expect(try await writing.restore().files.count == 2)
    #expect(try tags("1.flac") == before.0 && tags("2.mp3") == before.1)
    let nothing = await #expect(throws: KanoraError.self) { try await writing.restore() }
    #expect(nothing?.code == .nothingToUndo)
  }

  @Test("fields that were not edited are never written, and a file without audio is a failure")
  func limits() async throws {
    try add("1.flac", .flac, [("TITLE", "One"), ("ARTIST", "A")], frequency: 300)
    try add("2.flac", .flac, [("TITLE", "Two"), ("ARTIST", "A")], frequency: 320)
    let ids = try await scan(setting: .composer, to: "C")
    try Data("no music".utf8).write(to: url("2.flac"))
    let report = try await writing.write(ids)
    #expect(report.files.map(\.path) == [url("1.flac").path])
    #expect(report.failures.map(\.path) == [url("2.flac").path])
    #expect(try tags("1.flac").names.contains("COMPOSER"))
    let memory = TagWriting(try KanoraStore(.inMemory))
    let error = await #expect(throws: KanoraError.self) { try await memory.write([]) }
    #expect(error?.code == .notOpened)
  }

  @Test("a backup that cannot be written is an error of the library, and the file keeps its tags")
  func unwritableBackup() async throws {
    try add("1.flac", .flac, [("TITLE", "One"), ("ARTIST", "A")], frequency: 300)
    let ids = try await scan(setting: .composer, to: "C")
    // JSON has no infinite numbers.
    let timeless = TagWriting(store) { Date(timeIntervalSinceReferenceDate: .infinity) }
    let error = await #expect(throws: KanoraError.self) { try await timeless.write(ids) }
    #expect(error?.code == .notOpened)
    #expect(try !tags("1.flac").names.contains("COMPOSER"))
  }

  @Test("restoring leaves a field that changed since, goes back run by run, and tries files again")
  func runs() async throws {
    try add("1.flac", .flac, [("TITLE", "One"), ("ARTIST", "A")], frequency: 300)
    try add("2.flac", .flac, [("TITLE", "Two"), ("ARTIST", "A")], frequency: 320)
    try await scan()
    let ids = try rows().map(\.id)
    let desk = LibraryDesk(store)
    for composer in ["B", "C"] {
      try await desk.edit(ids, [.set(.composer, composer)])
      #expect(try await writing.write(ids).files.count == 2)
    }
    try Tool.run(
      "metaflac", ["--remove-tag=COMPOSER", "--set-tag=COMPOSER=X", url("2.flac").path])
    let first = try await writing.restore()
    #expect(first.files.map(\.path) == [url("1.flac").path])
    #expect(first.failures.map(\.path) == [url("2.flac").path])
    #expect(first.failures.first?.reason.contains("COMPOSER has changed") == true)
    #expect(try tags("1.flac").composer == "B" && tags("2.flac").composer == "X")
    try Tool.run(
      "metaflac", ["--remove-tag=COMPOSER", "--set-tag=COMPOSER=C", url("2.flac").path])
    // The earlier run, in which the second file fails too, and then the rest of the later one.
    #expect(try await writing.restore().failures.count == 1)
    #expect(try tags("1.flac").composer == nil)
    #expect(try await writing.restore().failures.isEmpty)
    #expect(try await writing.restore().failures.isEmpty)
    #expect(try tags("2.flac").composer == nil)
    let nothing = await #expect(throws: KanoraError.self) { try await writing.restore() }
    #expect(nothing?.code == .nothingToUndo)
  }

  private var backup: URL { folder.appendingPathComponent("Kanora.sqlite.tags") }

  /// Adds text to the backup, as a program that is killed or a damaged disk leaves it.
  private func append(_ text: String) throws {
    let file = try FileHandle(forWritingTo: backup)
    defer { try? file.close() }
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
  }

  /// Edits the composer of a track, and writes it into the file.
  private func writeComposer(_ composer: String, in name: String) async throws {
    let id = try #require(try rows().first { $0.filePath == url(name).path }).id
    try await LibraryDesk(store).edit([id], [.set(.composer, composer)])
    #expect(try await writing.write([id]).files.count == 1)
  }

  @Test(
    "an entry that a killed program left incomplete is ignored, and all complete ones are restored")
  func incompleteEntry() async throws {
    try add("1.flac", .flac, [("TITLE", "One"), ("ARTIST", "A")], frequency: 300)
    try await scan()
    try await writeComposer("B", in: "1.flac")
    try append("\n{\"run\":\"6F9619FF")
    try await writeComposer("C", in: "1.flac")
    try append("\n{\"run\"")
    for composer in ["B", nil] {
      let report = try await writing.restore()
      #expect(report.files.count == 1 && report.failures.isEmpty)
      #expect(try tags("1.flac").composer == composer)
    }
    let nothing = await #expect(throws: KanoraError.self) { try await writing.restore() }
    #expect(nothing?.code == .nothingToUndo)
  }

  @Test("a complete entry that cannot be decoded is reported and kept, and the others are restored")
  func damagedEntry() async throws {
    try add("1.flac", .flac, [("TITLE", "One"), ("ARTIST", "A")], frequency: 300)
    try await scan()
    try await writeComposer("B", in: "1.flac")
    let damaged = "{\"run\":\"damaged\"}"
    try append("\n\(damaged)\n")
    try await writeComposer("C", in: "1.flac")
    for composer in ["B", nil] {
      let report = try await writing.restore()
      #expect(report.files.count == 1)
      #expect(report.failures.map(\.path) == [backup.path])
      #expect(report.failures.first?.reason.contains("1 entry that cannot be decoded") == true)
      #expect(try tags("1.flac").composer == composer)
    }
    let error = await #expect(throws: KanoraError.self) { try await writing.restore() }
    #expect(error?.code == .notOpened && error?.path == backup.path)
    #expect(try String(contentsOf: backup, encoding: .utf8).contains(damaged))
  }

  @Test("the tags of a file are restored where a scan has found the file since")
  func movedFile() async throws {
    try add("1.flac", .flac, [("TITLE", "One"), ("ARTIST", "A")], frequency: 300)
    try await scan()
    try await writeComposer("B", in: "1.flac")
    try FileManager.default.moveItem(at: url("1.flac"), to: url("moved.flac"))
    // Before the scan, the library does not know the new path.
    #expect(try await writing.restore().failures.map(\.path) == [url("1.flac").path])
    #expect(try await scan().movedCount == 1)
    let report = try await writing.restore()
    #expect(report.files.map(\.path) == [url("moved.flac").path] && report.failures.isEmpty)
    #expect(try tags("moved.flac").composer == nil)
  }

  @Test("a file that could not be changed has nothing to restore")
  func unchangedFile() async throws {
    try add("1.mp3", .mp3, [("TITLE", "One"), ("GENRE", "Pop")], frequency: 300)
    // In ID3 tags, a number is the number of a genre, so this text would be another one after writing.
    let ids = try await scan(setting: .genre, to: "17")
    let report = try await writing.write(ids)
    #expect(report.files.isEmpty && report.failures.map(\.path) == [url("1.mp3").path])
    #expect(try tags("1.mp3").genre == "Pop")
    let nothing = await #expect(throws: KanoraError.self) { try await writing.restore() }
    #expect(nothing?.code == .nothingToUndo)
  }
}
