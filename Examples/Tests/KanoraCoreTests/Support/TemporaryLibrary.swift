import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import OpenTestSupport
import StoreSharing

/// A library in a temporary folder, which is deleted with it.
final class TemporaryLibrary {
  let folder: URL
  let file: URL
  let store: KanoraStore

  /// Opens a new library.
  ///
  /// - Parameter recorder: What notes the statements; nil for nothing.
  init(recording recorder: StatementRecorder? = nil) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("KanoraCoreTests-\(UUID().uuidString)")
    file = folder.appendingPathComponent("Kanora.sqlite")
    let options = recorder.map { [OpenStatementObserverOption: $0.observer as NSObject] } ?? [:]
    store = try KanoraStore(.file(file), options: options)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// What the command line tool of SQLite prints for a statement.
  @discardableResult
  func query(_ statement: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    process.arguments = [file.path, statement]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}

extension TemporaryLibrary {
  /// Adds the sample library.
  ///
  /// - Returns: A desk whose clock shows a later time than the dates of the samples.
  func fillWithSamples() throws -> LibraryDesk {
    try store.performBatchOperation { _ = try SampleLibrary.fill($0) }
    return LibraryDesk(store, now: { SampleLibrary.date.addingTimeInterval(1_000_000) })
  }

  /// Creates artists with albums of tracks, with all values derived from their numbers.
  func fill(artists: Int, albums: Int, tracks: Int) throws {
    let genres = ["Rock", "Jazz", "Pop", "Blues"]
    try store.performInPieces(of: 0..<artists, size: 20) { numbers, context in
      let libraries = try context.fetch(NSFetchRequest<Library>(entityName: "Library"))
      let library = libraries.first ?? Library(context: context)
      if libraries.isEmpty { (library.name, library.path) = ("Test", "/music") }
      for number in numbers {
        let artist = Artist(context: context)
        artist.rename(to: "Artist \(number)")
        artist.library = library
        for albumNumber in 0..<albums {
          let album = Album(context: context)
          album.retitle(to: "Album \(number).\(albumNumber)")
          (album.artist, album.year) = (artist, Int32(1960 + (number + albumNumber) % 50))
          for trackNumber in 1...tracks {
            let track = Track(context: context)
            (track.title, track.album) = ("Song \(trackNumber)", album)
            (track.trackNumber, track.format) = (Int16(trackNumber), "flac")
            track.duration = Double(100 + trackNumber)
            track.filePath = "/music/\(number)/\(albumNumber)/\(trackNumber).flac"
            track.fileSize = Int64(1_000_000 * trackNumber)
            track.genre = genres[(number + albumNumber) % 4]
            track.year = album.year
            track.rating = Int16((number + trackNumber) % 6)
            track.fingerprint = "\(number)-\(albumNumber)-\(trackNumber)"
            track.createdAt = SampleLibrary.date.addingTimeInterval(Double(number * 3_600))
          }
          album.updateTotals()
        }
      }
    }
  }
}

/// Whether the tests that take long run: `KANORA_LONG` is set.
enum LongTests {
  static let areOn = ProcessInfo.processInfo.environment["KANORA_LONG"] != nil
}
