import AudioFiles
import AudioSamples
import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import OpenTestSupport
import StoreSharing
import Synchronization

/// A folder of simulated music files, and a store that scans it.
final class ScanTrial: Sendable {
  let folder: URL
  let music: URL
  let store: KanoraStore
  let recorder = StatementRecorder()
  let scanner: LibraryScanner
  private let opened: Opened

  /// The files that the reader has opened.
  private final class Opened: Sendable {
    let paths = Mutex<[String]>([])
  }

  init() throws {
    folder = try AudioSamples.newFolder()
    music = folder.appendingPathComponent("music")
    try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
    store = try KanoraStore(
      .file(folder.appendingPathComponent("Kanora.sqlite")),
      options: [OpenStatementObserverOption: recorder.observer as NSObject])
    let opened = Opened()
    self.opened = opened
    scanner = LibraryScanner(store) { url throws(AudioFileError) in
      opened.paths.withLock { $0.append(url.lastPathComponent) }
      return try TextAudio.read(url)
    }
  }

  /// The names of the files opened since the last call.
  func takeOpened() -> [String] {
    opened.paths.withLock { paths in
      defer { paths = [] }
      return paths.sorted()
    }
  }

  // MARK: Files

  /// Writes a file, later than any before it.
  func write(_ path: String, _ fields: [String: String]) throws {
    let url = music.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try TextAudio.content(fields).write(to: url)
  }

  /// Writes a file of an artist's album.
  func write(
    _ path: String, _ artist: String, _ album: String, _ title: String,
    _ more: [String: String] = [:]
  ) throws {
    let fields = ["ARTIST": artist, "ALBUM": album, "TITLE": title, "audio": title]
    try write(path, fields.merging(more) { $1 })
  }

  func move(_ path: String, to other: String) throws {
    let target = music.appendingPathComponent(other)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: music.appendingPathComponent(path), to: target)
  }

  func remove(_ path: String) throws {
    try FileManager.default.removeItem(at: music.appendingPathComponent(path))
  }

  // MARK: Scans

  @discardableResult
  func scan(_ progress: @escaping LibraryScanner.ProgressHandler = { _ in }) async throws
    -> ScanReport
  {
    try await scanner.scan(scanner.library(at: music), progress: progress)
  }

  // MARK: What is stored

  /// Lines that describe the stored tracks, by their paths.
  func tracks() throws -> [String] {
    try store.performBatchOperation { context in
      let request = NSFetchRequest<Track>(entityName: "Track")
      return try context.fetch(request).map { track in
        let path = track.filePath.replacingOccurrences(of: self.music.path + "/", with: "")
        let album = track.album
        return
          "\(path): \(track.displayArtist), \(album?.artist?.name ?? "-") / \(album?.title ?? "-")"
          + " \(track.discNumber).\(track.trackNumber ?? 0) \(track.title)"
          + (track.missingSince == nil ? "" : " missing")
      }.sorted()
    }
  }

  /// The albums with counts and lengths.
  func albums() throws -> [String] {
    try store.performBatchOperation { context in
      let request = NSFetchRequest<Album>(entityName: "Album")
      return try context.fetch(request).map {
        "\($0.artist?.name ?? "-") / \($0.title): \($0.trackCount), \($0.totalDuration)"
      }.sorted()
    }
  }

  func badFiles() throws -> [String] {
    try store.performBatchOperation { context in
      try context.fetch(NSFetchRequest<BadFile>(entityName: "BadFile")).map {
        "\($0.path.replacingOccurrences(of: self.music.path + "/", with: "")): \($0.reason)"
      }.sorted()
    }
  }

  func count(_ entity: String) throws -> Int {
    try store.performBatchOperation {
      try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
    }
  }

  /// Changes the track of a title.
  func edit(_ title: String, _ change: (Track, NSManagedObjectContext) -> Void) throws {
    try store.performBatchOperation { context in
      let request = NSFetchRequest<Track>(entityName: "Track")
      request.predicate = NSPredicate(format: "title == %@", argumentArray: [title])
      for track in try context.fetch(request) { change(track, context) }
    }
  }
}
