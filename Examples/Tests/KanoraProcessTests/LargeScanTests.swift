import AudioSamples
import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import StoreSharing
import Testing

/// Memory while very many files are brought in, by a program that does nothing else.
@Suite("Large scans", .serialized)
struct LargeScanTests {
  /// The number of files; 50,000 take a few minutes in a debug build.
  private static var fileCount: Int {
    Int(ProcessInfo.processInfo.environment["KANORA_TRACKS"] ?? "") ?? 1_200
  }

  @Test("memory does not grow with the number of files")
  func flatMemory() throws {
    let folder = try AudioSamples.newFolder()
    let music = folder.appendingPathComponent("music")
    let store = folder.appendingPathComponent("Kanora.sqlite")
    let count = Self.fileCount
    for number in 0..<count { try Self.write(number, in: music) }
    let lines = try Self.scan(music, into: store)
    #expect(lines["new"] == [Double(count)])
    #expect(lines["unchanged"] == [Double(count)])
    let stored = try KanoraStore.openExisting(store).performBatchOperation { context in
      try context.count(for: NSFetchRequest<Track>(entityName: "Track"))
    }
    #expect(stored == count)
    // From the first tenth to the end.
    let sizes = lines["megabytes"] ?? []
    print("scan of \(count): megabytes \(sizes)")
    let early = try #require(sizes.dropFirst(sizes.count / 10).first)
    let last = try #require(sizes.last)
    #expect(last - early < 40 + Double(count) / 1_000, "\(sizes)")
  }

  private static func write(_ number: Int, in music: URL) throws {
    let album = number / 12
    let file = music.appendingPathComponent("\(album % 500)/\(album)/\(number).mp3")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try TextAudio.content([
      "ARTIST": "Artist \(album / 5)", "ALBUM": "Album \(album)", "TITLE": "T\(number)",
      "audio": "T\(number)",
    ]).write(to: file)
  }

  /// The printed numbers, by the counted objects.
  private static func scan(_ music: URL, into store: URL) throws -> [String: [Double]] {
    let output = Pipe()
    let process = try ScanProgram.begin(music, into: store, ["memory"], output: output)
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    var numbers: [String: [Double]] = [:]
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ")
      if parts.count == 2, let number = Double(parts[1]) {
        numbers[String(parts[0]), default: []].append(number)
      }
    }
    return numbers
  }
}
