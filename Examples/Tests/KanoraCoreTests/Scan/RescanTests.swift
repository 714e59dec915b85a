import AudioFiles
import AudioSamples
import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import StoreSharing
import Testing

/// New, changed, moved and missing files are distinguished, and the user's changes stay.
@Suite("Rescans")
struct RescanTests {
  let trial: ScanTrial

  init() throws { trial = try ScanTrial() }

  /// Plays, rates and loves the track of a title, and puts it in a playlist.
  private func use(_ title: String) throws {
    try trial.edit(title) { track, context in
      (track.playCount, track.rating, track.isLoved) = (7, 4, true)
      let playlist = Playlist(context: context)
      playlist.name = "List of \(title)"
      let item = PlaylistItem(context: context)
      (item.playlist, item.track) = (playlist, track)
    }
  }

  /// Whether the track at a path is the one that was used.
  private func isUsed(_ title: String, at path: String) throws -> Bool {
    var found = false
    try trial.edit(title) { track, _ in
      let place = trial.music.appendingPathComponent(path).path
      found =
        track.filePath == place && track.playCount == 7 && track.rating == 4 && track.isLoved
        && track.playlistItems.first?.playlist?.name == "List of \(title)"
        && track.missingSince == nil
    }
    return found
  }

  @Test("files whose size and time are the same are not opened, and no row changes")
  func unchanged() async throws {
    for number in 0..<5 { try trial.write("\(number).mp3", "A", "B", "T\(number)") }
    try await trial.scan()
    #expect(trial.takeOpened().count == 5)
    var before: [Date] = []
    for number in 0..<5 {
      try trial.edit("T\(number)") { track, _ in before.append(track.updatedAt) }
    }
    let report = try await trial.scan()
    #expect(report.unchangedCount == 5 && report.fileCount == 5)
    #expect(trial.takeOpened().isEmpty)
    var after: [Date] = []
    for number in 0..<5 {
      try trial.edit("T\(number)") { track, _ in after.append(track.updatedAt) }
    }
    #expect(before == after)
  }

  @Test("a changed file is reread; the user's changes and edits stay")
  func changed() async throws {
    try trial.write("1.mp3", "A", "B", "One", ["GENRE": "Rock", "DATE": "1990"])
    try await trial.scan()
    try use("One")
    try trial.edit("One") { track, _ in
      track.genre = "Mine"
      track.editedFields = ["genre"]
    }
    try trial.write(
      "1.mp3", "A", "B", "One", ["GENRE": "Jazz", "DATE": "1991", "milliseconds": "5000"])
    let report = try await trial.scan()
    #expect(report.changedCount == 1 && report.fileCount == 1)
    #expect(try isUsed("One", at: "1.mp3"))
    try trial.edit("One") { track, _ in
      #expect(track.genre == "Mine" && track.year == 1991 && track.album?.year == 1991)
      #expect(track.duration == 5)
    }
    #expect(try trial.albums() == ["A / B: 1, 5.0"])
  }

  @Test("a track with new tags changes albums; an emptied album and artist are deleted")
  func otherAlbum() async throws {
    try trial.write("1.mp3", "A", "B", "One")
    try trial.write("2.mp3", "A", "C", "Two")
    try trial.write("3.mp3", "D", "E", "Three")
    try await trial.scan()
    try trial.write("1.mp3", "A", "C", "One")
    try trial.write("3.mp3", "A", "C", "Three")
    try await trial.scan()
    #expect(try trial.albums() == ["A / C: 3, 3.0"])
    #expect(try trial.count("Artist") == 1)
  }

  @Test("an album that the user has chosen for a track stays")
  func editedAlbum() async throws {
    try trial.write("1.mp3", "A", "B", "One")
    try await trial.scan()
    try trial.edit("One") { track, _ in
      track.album?.retitle(to: "Mine")
      track.editedFields = ["album"]
    }
    try trial.write("1.mp3", "A", "B", "One more")
    try await trial.scan()
    #expect(try trial.tracks() == ["1.mp3: A, A / Mine 1.0 One more"])
    #expect(try trial.albums() == ["A / Mine: 1, 1.0"])
  }

  @Test("a moved file is the same track, also with new tags")
  func moved() async throws {
    try trial.write("a/1.mp3", "A", "B", "One")
    try trial.write("a/2.mp3", "A", "B", "Two")
    try await trial.scan()
    try use("One")
    try use("Two")
    try trial.move("a/1.mp3", to: "b/first.mp3")
    try trial.remove("a/2.mp3")
    try trial.write("c/2.mp3", "A", "New", "Two")
    let report = try await trial.scan()
    #expect(report.movedCount == 2 && report.newCount == 0 && report.missingCount == 0)
    #expect(try isUsed("One", at: "b/first.mp3") && isUsed("Two", at: "c/2.mp3"))
    #expect(try trial.count("Track") == 2)
  }

  @Test("files that change names in a circle, and in a row, keep their tracks")
  func swapped() async throws {
    for number in 1...5 { try trial.write("\(number).mp3", "A", "B", "T\(number)") }
    try await trial.scan()
    for number in 1...5 { try use("T\(number)") }
    // 1 and 2 change places; 5 becomes 6, 4 becomes 5, and 3 becomes 4.
    try trial.move("1.mp3", to: "x.mp3")
    try trial.move("2.mp3", to: "1.mp3")
    try trial.move("x.mp3", to: "2.mp3")
    for number in [5, 4, 3] { try trial.move("\(number).mp3", to: "\(number + 1).mp3") }
    // A moved file keeps its modification time; the sizes are also the same.
    for name in ["1", "2", "4", "5", "6"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000 + Double(name)!)],
        ofItemAtPath: trial.music.appendingPathComponent("\(name).mp3").path)
    }
    let report = try await trial.scan()
    #expect(report.movedCount == 5 && report.newCount == 0 && report.missingCount == 0)
    #expect(try isUsed("T1", at: "2.mp3") && isUsed("T2", at: "1.mp3"))
    #expect(try isUsed("T3", at: "4.mp3") && isUsed("T4", at: "5.mp3") && isUsed("T5", at: "6.mp3"))
    #expect(try trial.count("Track") == 5)
    #expect(try await trial.scan().unchangedCount == 5)
  }

  @Test(
    "a file that replaces a removed file displaces its track, which is missing until it reappears"
  )
  func displaced() async throws {
    try trial.write("1.mp3", "A", "B", "One")
    try trial.write("2.mp3", "A", "B", "Two")
    try await trial.scan()
    try use("One")
    try use("Two")
    try trial.remove("1.mp3")
    try trial.move("2.mp3", to: "1.mp3")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
      ofItemAtPath: trial.music.appendingPathComponent("1.mp3").path)
    let report = try await trial.scan()
    #expect(report.movedCount == 1 && report.newCount == 0)
    #expect(try isUsed("Two", at: "1.mp3"))
    try trial.edit("One") { track, _ in #expect(track.missingSince != nil) }
    try trial.write("new/1.mp3", "A", "B", "One")
    #expect(try await trial.scan().movedCount == 1)
    #expect(try isUsed("One", at: "new/1.mp3"))
  }

  @Test(
    "the path of a missing track is free for another file when its file is found elsewhere"
  )
  func takenWhileMissing() async throws {
    try trial.write("1.mp3", "A", "B", "One")
    try trial.write("2.mp3", "A", "B", "Two")
    try await trial.scan()
    try use("One")
    try use("Two")
    try trial.move("1.mp3", to: "../aside.mp3")
    #expect(try await trial.scan().missingCount == 1)
    try trial.move("2.mp3", to: "1.mp3")
    try trial.move("../aside.mp3", to: "3.mp3")
    for name in ["1", "3"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
        ofItemAtPath: trial.music.appendingPathComponent("\(name).mp3").path)
    }
    #expect(try await trial.scan().movedCount == 2)
    #expect(try isUsed("One", at: "3.mp3") && isUsed("Two", at: "1.mp3"))
  }

  @Test("a copy of a file is another track")
  func copied() async throws {
    try trial.write("1.mp3", "A", "B", "One")
    try await trial.scan()
    try use("One")
    try trial.write("copy.mp3", "A", "B", "One again", ["audio": "One"])
    let report = try await trial.scan()
    #expect(report.newCount == 1 && report.movedCount == 0)
    #expect(try isUsed("One", at: "1.mp3"))
  }

  @Test("a missing file's track is kept and listed, and returns with its plays")
  func missing() async throws {
    try trial.write("1.mp3", "A", "B", "One")
    try trial.write("2.mp3", "A", "B", "Two")
    try await trial.scan()
    try use("One")
    try trial.move("1.mp3", to: "../aside.mp3")
    #expect(try await trial.scan().missingCount == 1)
    #expect(try trial.tracks() == ["1.mp3: A, A / B 1.0 One missing", "2.mp3: A, A / B 1.0 Two"])
    #expect(try await trial.scan().missingCount == 0)
    #expect(try trial.albums() == ["A / B: 2, 2.0"])
    try trial.move("../aside.mp3", to: "1.mp3")
    let report = try await trial.scan()
    #expect(report.changedCount == 1 && report.unchangedCount == 1)
    #expect(try isUsed("One", at: "1.mp3"))
  }

  @Test("names that differ only in the form of an accent are two files")
  func normalization() async throws {
    try trial.write("\u{E9}.mp3", "A", "B", "One")
    try trial.write("e\u{301}.mp3", "A", "B", "Two")
    #expect(try await trial.scan().newCount == 2)
    #expect(try await trial.scan().unchangedCount == 2)
    #expect(try trial.count("Track") == 2)
  }

  @Test("a file that is renamed to another form of an accent is the same track at the new path")
  func renamedForm() async throws {
    try trial.write("\u{E9}.mp3", "A", "B", "One")
    try await trial.scan()
    try use("One")
    try trial.remove("\u{E9}.mp3")
    try trial.write("e\u{301}.mp3", "A", "B", "One")
    let report = try await trial.scan()
    #expect(report.movedCount == 1 && report.newCount == 0 && report.missingCount == 0)
    #expect(try isUsed("One", at: "e\u{301}.mp3"))
    #expect(try await trial.scan().unchangedCount == 1)
  }

  @Test("an album with the greatest number of tracks takes another track")
  func greatestTrackCount() async throws {
    try trial.write("1.mp3", "A", "B", "One")
    try await trial.scan()
    try trial.edit("One") { track, _ in track.album?.trackCount = Int32.max }
    try trial.write("2.mp3", "A", "B", "Two")
    #expect(try await trial.scan().newCount == 1)
    #expect(try trial.albums() == ["A / B: 2147483647, 2.0"])
  }

  @Test("a file that claims a longer duration than any music gets the longest one")
  func endless() async throws {
    try trial.write("1.mp3", "A", "B", "One", ["milliseconds": "5000000000000000"])
    try await trial.scan()
    try trial.edit("One") { track, _ in #expect(track.duration == 999_999_999) }
    let context = trial.store.newBackgroundContext()
    let document = try context.performAndWait { try LibraryDocument(in: context).data() }
    let other = try TemporaryLibrary()
    #expect(try await LibraryDesk(other.store).importDocument(document) == 4)
  }

  @Test("an edit that is saved while files are read is not lost")
  func editedMeanwhile() async throws {
    try trial.write("1.mp3", "A", "B", "One", ["GENRE": "Rock"])
    try await trial.scan()
    try trial.write("1.mp3", "A", "B", "One", ["GENRE": "Jazz", "COMPOSER": "C"])
    let trial = trial
    let scanner = LibraryScanner(trial.store) { url throws(AudioFileError) in
      let file = try TextAudio.read(url)
      try? trial.edit("One") { track, _ in
        (track.genre, track.editedFields, track.rating) = ("Mine", ["genre"], 5)
      }
      return file
    }
    _ = try await scanner.scan(scanner.library(at: trial.music))
    try trial.edit("One") { track, _ in
      #expect(track.genre == "Mine" && track.composer == "C" && track.rating == 5)
    }
  }

  @Test("a scan marks missing files that belong to the library of an inner folder")
  func overlappingFolders() async throws {
    try trial.write("inner/1.mp3", "A", "B", "One")
    try trial.write("inner/2.mp3", "A", "B", "Two")
    try await trial.scan()
    let inner = try await trial.scanner.library(at: trial.music.appendingPathComponent("inner"))
    for (number, title) in ["One", "Two"].enumerated() {
      try trial.write("inner/\(number + 1).mp3", "A", "B", title, ["GENRE": "Rock"])
    }
    // The changed tracks now belong to the library of the inner folder.
    #expect(try await trial.scanner.scan(inner).changedCount == 2)
    try trial.remove("inner/1.mp3")
    #expect(try await trial.scan().missingCount == 1)
    #expect(try trial.tracks().filter { $0.hasSuffix(" missing") }.count == 1)
  }
}
