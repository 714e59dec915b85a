import AudioSamples
import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import StoreSharing
import Testing

/// A scan killed at any moment leaves an intact store, and the next scan continues.
@Suite("Kills of scans", .serialized)
struct ScanKillTests {
  private static var killCount: Int { KillPlan.count(6) }

  private static var seed: UInt64 { KillPlan.seed }

  @Test("scans of a folder that changes all the time, killed at random moments")
  func kills() async throws {
    print("kills: \(Self.killCount), seed \(Self.seed)")
    var trial = try KilledScans(seed: Self.seed)
    let whole = try trial.scan()
    try trial.play()
    var killed = 0
    for round in 0..<Self.killCount {
      try trial.changeFiles()
      killed += try await trial.kill(after: .milliseconds(trial.below(max(1, whole)))) ? 1 : 0
      #expect(try trial.problems() == [], "round \(round)")
    }
    print("killed before the end: \(killed), whole scan \(whole) ms")
    try trial.scan()
    #expect(try trial.problems() == [])
    #expect(try trial.presentPaths() == trial.files.keys.sorted())
    // Regardless of changes to the files, their tracks are the played tracks.
    #expect(try trial.playedAudio() == trial.expectedPlays())
  }
}

/// A folder whose files are changed, moved, removed and added, and a store that programs scan it into.
private struct KilledScans {
  /// Fields by paths in the folder.
  private(set) var files: [String: [String: String]] = [:]
  private let folder: URL
  private let music: URL
  private let file: URL
  private var state: UInt64
  private var number = 0
  private var played: Set<String> = []

  init(seed: UInt64) throws {
    state = seed
    folder = try AudioSamples.newFolder()
    music = folder.appendingPathComponent("music")
    file = folder.appendingPathComponent("Kanora.sqlite")
    for _ in 0..<400 { try add() }
  }

  mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }

  // MARK: Files

  private mutating func add() throws {
    number += 1
    try write(
      "\(number % 17)/\(number).mp3",
      [
        "audio": "audio \(number)", "TITLE": "T\(number)", "ARTIST": "Artist \(below(20))",
        "ALBUM": "Album \(below(4))", "milliseconds": "\(1_000 + below(9_000))",
      ])
  }

  private mutating func write(_ path: String, _ fields: [String: String]) throws {
    let url = music.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try TextAudio.content(fields).write(to: url)
    files[path] = fields
  }

  mutating func changeFiles() throws {
    for _ in 0..<60 {
      let paths = files.keys.sorted()
      let path = paths[below(paths.count)]
      guard var fields = files[path] else { continue }
      switch below(4) {
      case 0:
        try FileManager.default.removeItem(at: music.appendingPathComponent(path))
        files[path] = nil
        try add()
      case 1:
        fields["ALBUM"] = "Album \(below(4))"
        fields["remark"] = "\(below(1_000_000))"
        try write(path, fields)
      default:
        number += 1
        try FileManager.default.removeItem(at: music.appendingPathComponent(path))
        files[path] = nil
        try write("moved \(below(5))/\(number).mp3", fields)
      }
    }
  }

  // MARK: Programs

  /// - Returns: Milliseconds that the scan took.
  @discardableResult
  func scan() throws -> Int {
    let start = ContinuousClock.now
    let process = try begin()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return Int((ContinuousClock.now - start) / .milliseconds(1))
  }

  /// - Returns: Whether the program was still running.
  func kill(after delay: Duration) async throws -> Bool {
    try await TestProgram.kill(try begin(), after: delay)
  }

  private func begin() throws -> Process { try ScanProgram.begin(music, into: file) }

  // MARK: The store

  private func read<Result>(_ work: (NSManagedObjectContext) throws -> Result) throws -> Result {
    try KanoraStore.openExisting(file).performBatchOperation(work)
  }

  private func tracks(_ context: NSManagedObjectContext) throws -> [Track] {
    try context.fetch(NSFetchRequest<Track>(entityName: "Track"))
  }

  /// Marks all tracks as played, with a play count determined by the audio.
  mutating func play() throws {
    played = try read { context in
      let tracks = try tracks(context)
      for track in tracks { track.playCount = Self.plays(track.fingerprint ?? "") }
      return Set(tracks.compactMap(\.fingerprint))
    }
  }

  private static func plays(_ audio: String) -> Int32 { Int32(audio.dropFirst(6)) ?? 0 }

  func playedAudio() throws -> [String: Int32] {
    try read { context in
      Dictionary(
        try tracks(context).filter { $0.playCount > 0 }.map {
          ($0.fingerprint ?? "", $0.playCount)
        }, uniquingKeysWith: +)
    }
  }

  func expectedPlays() -> [String: Int32] {
    Dictionary(uniqueKeysWithValues: played.map { ($0, Self.plays($0)) })
  }

  /// The paths in the folder of tracks that are not missing.
  func presentPaths() throws -> [String] {
    try read { context in
      try tracks(context).filter { $0.missingSince == nil }
        .map { String($0.filePath.dropFirst(music.path.count + 1)) }.sorted()
    }
  }

  /// What is wrong with the store.
  func problems() throws -> [String] {
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    let store = try KanoraStore.openExisting(file)
    var problems = try IntegrityCheck().findings(
      in: store.container.persistentStoreCoordinator
    ).map { "\($0)" }
    try store.performBatchOperation { context in
      let tracks = try tracks(context)
      if Set(tracks.map(\.fingerprint)).count != tracks.count { problems.append("double tracks") }
      problems += tracks.filter { $0.album?.artist?.library == nil }.map { "alone: \($0.title)" }
      let artists = try context.fetch(NSFetchRequest<Artist>(entityName: "Artist"))
      if Set(artists.map(\.nameKey)).count != artists.count { problems.append("double artists") }
      for album in try context.fetch(NSFetchRequest<Album>(entityName: "Album")) {
        let sum = album.tracks.reduce(0) { $0 + $1.duration }
        if Int(album.trackCount) != album.tracks.count || abs(sum - album.totalDuration) > 0.0005 {
          problems.append(
            "totals: \(album.title) \(album.trackCount) \(album.totalDuration) \(sum)")
        }
      }
    }
    return problems
  }
}
