import AudioFiles
import AudioSamples
import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import Testing

/// Files that are copied into the library's folder.
@Suite("Copying imports", .enabled(if: Tool.areInstalled, "the encoders are absent"))
struct CopyTests {
  let trial: ScanTrial
  let source: URL
  let scanner: LibraryScanner

  init() throws {
    trial = try ScanTrial()
    source = trial.folder.appendingPathComponent("source")
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    scanner = LibraryScanner(trial.store)
  }

  private func add(
    _ name: String, _ fields: [(name: String, value: String)], frequency: Double,
    _ kind: AudioSamples.Kind = .flac
  ) throws {
    let file = try AudioSamples.make(kind, fields, seconds: 0.1, frequency: frequency)
    let place = source.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: file, to: place)
  }

  private func files() throws -> [String] {
    try FolderWalk(trial.music).compactMap { item in
      guard case .file(let file) = item else { return nil }
      return String(file.path.dropFirst(trial.music.path.count + 1))
    }
  }

  private func copy() async throws -> ScanReport {
    try await scanner.copyFiles(from: source, into: scanner.library(at: trial.music))
  }

  @Test("copies to Artist/Album/file, numbers equal names, and leaves known audio out")
  func copies() async throws {
    let tags = [(name: "ARTIST", value: "Abba"), (name: "ALBUM", value: "Gold")]
    try add("a/01.flac", tags, frequency: 300)
    try add("b/01.flac", tags, frequency: 310)
    try add("c/again.flac", tags, frequency: 300)
    try add("d/wrong.mp3", [], frequency: 320)
    try Data("no music".utf8).write(to: source.appendingPathComponent("bad.mp3"))
    let report = try await copy()
    #expect(report.newCount == 3 && report.duplicateCount == 1 && report.badCount == 1)
    #expect(
      try files() == [
        "Abba/Gold/01 2.flac", "Abba/Gold/01.flac", "Unknown Artist/Unknown Album/wrong.flac",
      ])
    #expect(try await copy().duplicateCount == 4)
    #expect(try files().count == 3 && trial.count("Track") == 3)
    #expect(try FolderWalk(source).reduce(0) { count, _ in count + 1 } == 5)
    // What was copied is known to a scan of the folder.
    let rescan = try await scanner.scan(scanner.library(at: trial.music))
    #expect(rescan.unchangedCount == 3 && rescan.fileCount == 3)
  }

  @Test("a link to a file elsewhere is copied as a file")
  func links() async throws {
    try add("../elsewhere/01.flac", [("ARTIST", "Abba"), ("ALBUM", "Gold")], frequency: 300)
    try FileManager.default.createSymbolicLink(
      at: source.appendingPathComponent("02.flac"),
      withDestinationURL: trial.folder.appendingPathComponent("elsewhere/01.flac"))
    #expect(try await copy().newCount == 1)
    let copied = trial.music.appendingPathComponent("Abba/Gold/02.flac")
    let type = try FileManager.default.attributesOfItem(atPath: copied.path)[.type]
    #expect(type as? FileAttributeType == .typeRegular)
  }

  @Test("names from tags never lead out of the library's folder")
  func hostileNames() async throws {
    let names = [
      "../../../../etc", "..", ".", "/etc/passwd", "a\u{1}b", ".hidden", "  ", "CON:*?",
      String(repeating: "é", count: 300), "a/../b", "name. ",
    ]
    for (index, name) in names.enumerated() {
      try add(
        "\(index).flac", [("ARTIST", name), ("ALBUM", name)], frequency: 300 + 10 * Double(index))
    }
    let report = try await copy()
    #expect(report.newCount == names.count)
    let copied = try files()
    #expect(copied.count == names.count)
    for file in copied {
      let parts = file.split(separator: "/")
      #expect(parts.count == 3, "\(file)")
      #expect(parts.allSatisfy { $0.utf8.count <= 160 && !$0.hasPrefix(".") }, "\(file)")
    }
    let outside = try FileManager.default.contentsOfDirectory(atPath: trial.folder.path)
    #expect(outside.filter { !$0.hasPrefix("Kanora.sqlite") }.sorted() == ["music", "source"])
  }

  @Test("a library's folder that cannot be written ends the import, and leaves nothing half copied")
  func noFolder() async throws {
    try add("0.flac", [("ARTIST", "Aardvark")], frequency: 290)
    try add("1.flac", [("ARTIST", "Abba")], frequency: 300)
    let library = try await scanner.library(at: trial.music)
    try Data().write(to: trial.music.appendingPathComponent("Abba"))
    await #expect(throws: (any Error).self) {
      try await scanner.copyFiles(from: source, into: library)
    }
    // What was copied before is stored.
    #expect(try trial.tracks().map { $0.hasPrefix("Aardvark/Unknown Album/0.flac") } == [true])
    #expect(try files() == ["Aardvark/Unknown Album/0.flac", "Abba"])
  }
}
