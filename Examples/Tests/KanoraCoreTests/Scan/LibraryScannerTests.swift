import AudioFiles
import AudioSamples
import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import OpenTestSupport
import StoreSharing
import Synchronization
import Testing

/// What a first scan stores.
@Suite("Scans")
struct LibraryScannerTests {
  let trial: ScanTrial

  init() throws { trial = try ScanTrial() }

  @Test("artists, albums and tracks are created once, with counts and lengths")
  func first() async throws {
    try trial.write("a/1.mp3", "Abba", "Gold", "One", ["TRACKNUMBER": "1", "milliseconds": "1100"])
    try trial.write(
      "a/2.mp3", "ABBA", "GOLD", "Two", ["TRACKNUMBER": "2/9", "milliseconds": "2200"])
    try trial.write("b/1.mp3", "Björk", "Debut", "Three", ["DATE": "1993-07-05", "GENRE": "Pop"])
    try trial.write("c/1.mp3", "Bjork", "Debut", "Four")
    let report = try await trial.scan()
    #expect(report.newCount == 4 && report.fileCount == 4 && !report.wasCancelled)
    #expect(
      try trial.tracks() == [
        "a/1.mp3: Abba, Abba / Gold 1.1 One", "a/2.mp3: Abba, Abba / Gold 1.2 Two",
        "b/1.mp3: Björk, Björk / Debut 1.0 Three", "c/1.mp3: Björk, Björk / Debut 1.0 Four",
      ])
    #expect(try trial.albums() == ["Abba / Gold: 2, 3.3", "Björk / Debut: 2, 2.0"])
    try trial.edit("Three") { track, _ in
      #expect(track.year == 1993 && track.genre == "Pop" && track.format == "mp3")
      #expect(track.album?.year == 1993 && track.album?.genre == "Pop")
      #expect(track.album?.releaseDate == Date(timeIntervalSince1970: 741_830_400))
      #expect(track.fileSize > 0 && track.duration == 1 && track.sampleRate == 44_100)
      #expect(track.album?.artist?.library?.lastScannedAt != nil)
    }
  }

  @Test("missing tags are filled with the file's name and names for the unknown")
  func defaults() async throws {
    try trial.write("x/01 Intro.mp3", ["audio": "1"])
    try trial.write("y/01 Intro.mp3", ["audio": "2"])
    try await trial.scan()
    #expect(
      try trial.tracks() == [
        "x/01 Intro.mp3: Unknown Artist, Unknown Artist / Unknown Album 1.0 01 Intro",
        "y/01 Intro.mp3: Unknown Artist, Unknown Artist / Unknown Album 1.0 01 Intro",
      ])
    #expect(try trial.count("Album") == 1)
  }

  @Test("collections and albums of several discs stay one album")
  func compilations() async throws {
    let hits = ["COMPILATION": "1"]
    try trial.write("h/1.mp3", "Abba", "Hits", "One", hits)
    try trial.write("h/2.mp3", "Blur", "Hits", "Two", hits)
    try trial.write("d/1.mp3", "Blur", "Best Of (Disc 1)", "Three")
    try trial.write("d/2.mp3", "Blur", "Best Of [CD2]", "Four")
    try trial.write(
      "d/3.mp3", "Guest", "Best Of", "Five", ["ALBUMARTIST": "Blur", "DISCNUMBER": "3/3"])
    try trial.write("d/4.mp3", "Blur", "Abcd 2", "Six")
    try trial.write("d/5.mp3", "Blur", "CD 1", "Seven")
    try await trial.scan()
    #expect(
      try trial.tracks() == [
        "d/1.mp3: Blur, Blur / Best Of 1.0 Three", "d/2.mp3: Blur, Blur / Best Of 2.0 Four",
        "d/3.mp3: Guest, Blur / Best Of 3.0 Five", "d/4.mp3: Blur, Blur / Abcd 2 1.0 Six",
        "d/5.mp3: Blur, Blur / CD 1 1.0 Seven",
        "h/1.mp3: Abba, Various Artists / Hits 1.0 One",
        "h/2.mp3: Blur, Various Artists / Hits 1.0 Two",
      ])
    #expect(try trial.count("Artist") == 2)
  }

  @Test("unreadable files are listed with the reason, and the other files are stored")
  func badFiles() async throws {
    try trial.write("1.mp3", "A", "B", "One")
    try trial.write("2.mp3", ["broken": "yes"])
    try trial.write("3.mp3", "A", "B", "Three")
    try FileManager.default.createSymbolicLink(
      atPath: trial.music.appendingPathComponent("4.mp3").path, withDestinationPath: "nowhere")
    try trial.write("notes.txt", ["a": "b"])
    let report = try await trial.scan()
    #expect(report.newCount == 2 && report.badCount == 2)
    #expect(
      try trial.badFiles() == [
        "2.mp3: The file is broken.",
        "4.mp3: The file does not exist, or is a broken symbolic link.",
      ])
    // Repaired and removed ones are forgotten.
    try trial.write("2.mp3", "A", "B", "Two")
    try trial.remove("4.mp3")
    #expect(try await trial.scan().newCount == 1)
    #expect(try trial.badFiles().isEmpty)
    #expect(try trial.count("Track") == 3)
  }

  @Test("the unreadable files of a library do not include those of another library")
  func badFilesOfLibrary() async throws {
    for name in ["a", "b"] {
      try trial.write("\(name)/1.mp3", ["broken": "yes"])
      let folder = trial.music.appendingPathComponent(name)
      let library = try await trial.scanner.library(at: folder)
      #expect(try await trial.scanner.scan(library).badCount == 1)
      let paths = try trial.store.performBatchOperation {
        try LibraryLists.badFiles(of: library, in: $0).map(\.path)
      }
      #expect(paths == [folder.appendingPathComponent("1.mp3").path])
    }
  }

  @Test(
    "a scan deletes the hidden copies that a killed program has left, and no other hidden files")
  func abandonedCopies() async throws {
    func path(_ name: String) -> String { trial.music.appendingPathComponent(name).path }
    let copies = (0..<3).map { _ in ".kanora-\(UUID().uuidString)" }
    try trial.write("a/1.mp3", "A", "B", "One")
    for name in ["a/\(copies[0])", copies[1], "a/\(copies[2])", ".kanora-notes", ".hidden.mp3"] {
      try trial.write(name, ["TITLE": "Hidden"])
    }
    // A program that uses a copy holds its lock.
    let descriptor = open(path(copies[1]), O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    // The folder that files are copied from is not changed.
    let source = trial.music.appendingPathComponent("a")
    let target = trial.folder.appendingPathComponent("target")
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    let leftover = target.appendingPathComponent(copies[0])
    try Data().write(to: leftover)
    _ = try await trial.scanner.copyFiles(
      from: source, into: trial.scanner.library(at: target))
    #expect(FileManager.default.fileExists(atPath: path("a/\(copies[0])")))
    #expect(!FileManager.default.fileExists(atPath: leftover.path))

    let library = try await trial.scanner.library(at: trial.music)
    #expect(try await trial.scanner.scan(library).fileCount == 1)
    let left = ["a/\(copies[0])", copies[1], "a/\(copies[2])", ".kanora-notes", ".hidden.mp3"]
      .filter { FileManager.default.fileExists(atPath: path($0)) }
    #expect(left == [copies[1], ".kanora-notes", ".hidden.mp3"])
  }

  @Test("a track whose file became unreadable is kept, and not missing")
  func nowBad() async throws {
    try trial.write("1.mp3", "A", "B", "One")
    try await trial.scan()
    try trial.write("1.mp3", ["broken": "now"])
    let report = try await trial.scan()
    #expect(report.badCount == 1 && report.missingCount == 0)
    #expect(try trial.tracks() == ["1.mp3: A, A / B 1.0 One"])
    #expect(try trial.badFiles() == ["1.mp3: The file is broken."])
  }

  @Test("progress names each part, its files and their number")
  func progress() async throws {
    for number in 0..<130 { try trial.write("\(number).mp3", "A", "B", "T\(number)") }
    let seen = Mutex<[ScanProgress]>([])
    try await trial.scan { progress in seen.withLock { $0.append(progress) } }
    let all = seen.withLock { $0 }
    let reading = all.filter { $0.phase == .reading }
    #expect(reading.map(\.done) == Array(0...130) && reading.allSatisfy { $0.total == 130 })
    #expect(Set(reading.compactMap(\.file)).count == 130)
    #expect(all.first?.phase == .counting && all.last?.phase == .missing)
  }

  @Test("a cancelled scan keeps its results, and the next scan continues")
  func cancelled() async throws {
    for number in 0..<350 { try trial.write("\(number).mp3", "A", "B", "T\(number)") }
    let library = try await trial.scanner.library(at: trial.music)
    let started = Mutex<Task<ScanReport, any Error>?>(nil)
    let trial = trial
    let task = Task {
      try await trial.scanner.scan(library) { progress in
        if progress.phase == .reading, progress.done == 250 { started.withLock { $0?.cancel() } }
      }
    }
    started.withLock { $0 = task }
    let report = try await task.value
    #expect(report.wasCancelled || report.newCount == 350)
    #expect(try trial.count("Track") == report.newCount)
    if report.wasCancelled {
      #expect(report.newCount >= 250 && report.newCount < 350 && report.missingCount == 0)
    }
    let next = try await trial.scan()
    #expect(next.newCount == 350 - report.newCount && next.unchangedCount == report.newCount)
  }

  @Test("a missing folder is an error, and no track is marked as missing")
  func noFolder() async throws {
    try trial.write("1.mp3", "A", "B", "One")
    let library = try await trial.scanner.library(at: trial.music)
    _ = try await trial.scanner.scan(library)
    try trial.move("", to: "../elsewhere")
    await #expect { try await trial.scanner.scan(library) } throws: {
      ($0 as? AudioFileError)?.code == .missing
    }
    #expect(try trial.tracks() == ["1.mp3: A, A / B 1.0 One"])
    await #expect { try await trial.scanner.scan(UUID()) } throws: {
      ($0 as? KanoraError)?.code == .notFound
    }
  }

  @Test("scans of one folder at the same time store each track, album and artist once")
  func twoPrograms() async throws {
    for number in 0..<240 {
      try trial.write(
        "\(number).mp3", "Artist \(number % 30)", "Album \(number % 60)", "T\(number)")
    }
    let other = try KanoraStore.openExisting(try #require(trial.store.file))
    let library = try await trial.scanner.library(at: trial.music)
    let scanners = [
      trial.scanner,
      LibraryScanner(other) { url throws(AudioFileError) in try TextAudio.read(url) },
    ]
    try await withThrowingTaskGroup(of: ScanReport.self) { group in
      for scanner in scanners { group.addTask { try await scanner.scan(library) } }
      for try await report in group { #expect(report.fileCount == 240) }
    }
    #expect(try trial.count("Track") == 240 && trial.count("Artist") == 30)
    #expect(try trial.count("Album") == 60 && trial.count("Library") == 1)
  }

  @Test(
    "a batch costs a bounded number of statements, and a scan of unchanged files one fetch a batch")
  func statements() async throws {
    for number in 0..<FileBatchSize.value {
      try trial.write("\(number).mp3", "Artist \(number)", "Album \(number)", "T\(number)")
    }
    let library = try await trial.scanner.library(at: trial.music)
    func selects(_ work: () async throws -> Void) async throws -> (reads: Int, commits: Int) {
      let start = trial.recorder.all.count
      try await work()
      let statements = trial.recorder.all.dropFirst(start)
      return (
        statements.count { $0.hasPrefix("SELECT") && $0.contains(" FROM Z") },
        statements.count { $0.hasPrefix("COMMIT") }
      )
    }
    let first = try await selects { _ = try await trial.scanner.scan(library) }
    #expect(first.reads <= 14, "\(first)")
    let second = try await selects { _ = try await trial.scanner.scan(library) }
    #expect(second.reads <= 8, "\(second)")
    for number in 0..<FileBatchSize.value {
      try trial.write("\(number).mp3", "Other \(number)", "Album \(number)", "T\(number)")
    }
    let third = try await selects { _ = try await trial.scanner.scan(library) }
    #expect(third.reads <= 24, "\(third)")
    #expect(try trial.count("Artist") == FileBatchSize.value)
  }
}

/// The number of files of a batch.
enum FileBatchSize { static let value = 100 }
