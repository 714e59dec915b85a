import AudioSamples
import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import StoreSharing
import Testing

/// The commands that count, check, repair and undo, and a scan that is stopped.
@Suite("Health, undo and stops of the music library's commands")
struct HealthCommandTests: SampleLibraryTests {
  let folder: URL

  init() throws { folder = try Self.makeFolder() }

  private func change(_ work: (NSManagedObjectContext) throws -> Void) throws {
    try KanoraStore.openExisting(file).performBatchOperation(work)
  }

  @Test("stats prints totals, formats, genres, years, the most played tracks and the store")
  func stats() throws {
    let lines = try run("stats").output.split(separator: "\n").map(String.init)
    #expect(lines.first == "10 tracks, 4 albums, 3 artists, 1 playlist, 12 plays")
    #expect(lines[1].hasSuffix("GB, 0 files missing"))
    for heading in ["Formats:", "Genres:", "Years:", "Most played:"] {
      #expect(lines.contains(heading))
    }
    #expect(lines.contains { $0.hasPrefix("  Electronic: 2 tracks, ") })
    #expect(lines.contains { $0.hasPrefix("  1959: 3 tracks, ") })
    #expect(lines.contains("  All Blues · Miles Davis · Kind of Blue: 6 plays"))
    #expect(lines.last?.hasPrefix("Store: SQLite, \(file.path), ") == true)
  }

  @Test("check names the repair of each problem; a repair can be undone and repeated")
  func repair() throws {
    #expect(try run("check").output == "No problems were found.\n")
    try change { context in
      let album = Album(context: context)
      album.retitle(to: "Nothing\nIn It")
      album.artist = try context.fetch(NSFetchRequest<Artist>(entityName: "Artist")).first
    }
    let damaged = try document()
    let found = try run("check")
    #expect(found.status == 1)
    #expect(
      found.output == """
        Nothing In It: The album has no tracks.
        1 problem
        --repair emptyAlbum: delete the albums

        """)
    #expect(try run("check", "--json").output.contains("\"kind\":\"emptyAlbum\""))
    #expect(try run("check", "--repair", "everything").status == 64)
    #expect(try document() == damaged)
    let repaired = try run("check", "--repair", "emptyAlbum", "--repair", "positions")
    #expect(repaired.status == 0)
    #expect(repaired.output.hasSuffix("The album has no tracks.\nRepaired 1 problem.\n"))
    #expect(try run("check").status == 0)
    #expect(try run("check", "--repair", "emptyAlbum").output == "Repaired 0 problems.\n")
    #expect(try run("undo").output == "Undone: Repair Library\n")
    #expect(try document() == damaged)
    #expect(try run("redo", "--json").output == "{\"name\":\"Repair Library\"}\n")
    #expect(try run("check").status == 0)
  }

  @Test("damage to the store is reported, and is not repaired")
  func storeProblems() throws {
    try execute("UPDATE ZTRACK SET ZALBUM = 9999 WHERE ZTITLE = 'Taxman'")
    let found = try run("check")
    #expect(found.status == 1 && found.output.contains("album"))
    #expect(try run("check", "--json").output.contains("\"storeProblems\":[\""))
  }

  @Test("undo and redo go through the actions of all commands")
  func undo() throws {
    let before = try document()
    let nothing = try run("undo")
    #expect(nothing.status == 1 && nothing.complaints.contains("There is nothing to undo."))
    #expect(try run("edit", "album:revolver", "--set", "genre=Pop", "--apply").status == 0)
    let edited = try document()
    #expect(try run("playlist", "delete", "evening").status == 0)
    let list = try run("undo", "--list").output.split(separator: "\n")
    #expect(list.map { $0.split(separator: "  ").last } == ["Delete Playlist", "Edit 2 Tracks"])
    #expect(try run("undo").output == "Undone: Delete Playlist\n")
    #expect(try document() == edited)
    #expect(try run("undo").output == "Undone: Edit 2 Tracks\n")
    #expect(try document() == before)
    #expect(try run("redo", "--list", "--json").output.contains("\"name\":\"Edit 2 Tracks\""))
    #expect(try run("redo").output == "Redone: Edit 2 Tracks\n")
    #expect(try document() == edited)
    // Another program has changed a value of the edit.
    try change { context in
      let request = NSFetchRequest<Track>(entityName: "Track")
      request.predicate = NSPredicate(format: "title == 'Taxman'", argumentArray: [])
      for track in try context.fetch(request) { track.genre = "Other" }
    }
    let refused = try run("undo")
    #expect(refused.status == 1 && refused.complaints.contains("Edit the values instead."))
    #expect(try run("undo", in: folder.appendingPathComponent("none.sqlite")).status == 1)
  }

  /// Waits until a scan has stored its first files, and then interrupts it.
  ///
  /// - Parameters:
  ///   - scan: The program, which prints to `output`.
  ///   - count: The number of files that the scan stores if it is not interrupted.
  /// - Returns: What the program has printed before.
  private func interrupt(
    _ scan: Process, _ output: Pipe, _ store: URL, at count: Int
  ) throws -> String {
    // The first phase has begun, so the store exists, and signals stop the scan instead of ending the program.
    var text = ""
    while !text.contains("counting") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    while scan.isRunning, try trackCount(store) == 0 {}
    // The scan waits for this lock before it stores further files, and before it ends.
    let lock = try FileLock.take("\(store.path).editing")
    defer { withExtendedLifetime(lock) {} }
    // A scan that has stored all files is no longer interrupted.
    if try trackCount(store) < count { scan.interrupt() }
    return text
  }

  private func trackCount(_ store: URL) throws -> Int {
    try KanoraStore.openExisting(store).performBatchOperation {
      try LibraryLists.trackCount(in: $0)
    }
  }

  @Test(
    "a scan that is interrupted keeps what it has read, and the next scan continues",
    .enabled(if: Tool.areInstalled, "the encoders are absent"))
  func stoppedScan() throws {
    let music = folder.appendingPathComponent("music")
    try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
    let song = try AudioSamples.make(
      .flac, [("ARTIST", "Abba"), ("ALBUM", "Gold")], seconds: 0.1)
    let count = 800
    for number in 0..<count {
      try FileManager.default.copyItem(
        at: song, to: music.appendingPathComponent("\(number).flac"))
    }
    let store = folder.appendingPathComponent("stopped.sqlite")
    let (output, complaints) = (Pipe(), Pipe())
    let process = try TestProgram.begin(
      "kanora", ["scan", music.path, "--store", store.path], output: output,
      complaints: complaints)
    var text = try interrupt(process, output, store, at: count)
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    text += String(decoding: printed, as: UTF8.self)
    let complained = complaints.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let isStopped = String(decoding: complained, as: UTF8.self).contains("The scan was stopped.")
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == (isStopped ? 1 : 0))
    let stored = try trackCount(store)
    #expect(stored > 0 && (isStopped || stored == count))
    #expect(text.contains("\(stored) new"))
    let next = try run("scan", music.path, "--quiet", in: store).output
    #expect(next.hasPrefix("\(count - stored) new, 0 changed, 0 moved, \(stored) unchanged"))
    #expect(try trackCount(store) == count)
  }
}
