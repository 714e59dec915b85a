import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import StoreSharing
import Testing

/// Edits of tracks, with preview, undo and redo.
@Suite("Editing tracks")
struct EditingTests {
  private let temporary: TemporaryLibrary
  private let desk: LibraryDesk

  init() throws {
    temporary = try TemporaryLibrary()
    desk = try temporary.fillWithSamples()
  }

  private func rows(_ text: String = "") throws -> [TrackRow] {
    let context = temporary.store.newBackgroundContext()
    let filter = TrackFilter(query: try LibraryQuery(text))
    return try context.performAndWait {
      try LibraryLists.tracks(filter, window: 0..<1_000, in: context)
    }
  }

  /// The whole library as text, except for the modification dates.
  private func image() throws -> String {
    let context = temporary.store.newBackgroundContext()
    let data = try context.performAndWait { try LibraryDocument(in: context).data() }
    return String(decoding: data, as: UTF8.self)
  }

  private func read<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    let context = temporary.store.newBackgroundContext()
    return try context.performAndWait { try body(context) }
  }

  @Test("an edit shows old and new values, and changes nothing until it is saved")
  func preview() async throws {
    let ids = try rows("album:\"abbey road\"").map(\.id)
    let before = try image()
    let editing = TrackEditing(ids, at: desk)
    try await editing.apply([.set(.genre, "Pop"), .number(from: 3)])
    let differences = try await editing.differences()
    #expect(
      differences.map { "\($0.title) \($0.field.rawValue): \($0.old) → \($0.new)" } == [
        "Come Together genre: Rock → Pop", "Come Together trackNumber: 1 → 3",
        "Something genre: Rock → Pop", "Something trackNumber: 2 → 4",
        "Here Comes the Sun genre: Rock → Pop", "Here Comes the Sun trackNumber: 3 → 5",
      ])
    #expect(try image() == before)
    await editing.cancel()
    #expect(try await editing.differences().isEmpty)
    try await editing.save()
    #expect(try image() == before)
    #expect(await desk.steps().undoName == nil)
  }

  @Test("a bulk edit is one named undo step, which can be undone and redone after it is saved")
  func bulk() async throws {
    let ids = try rows().map(\.id)
    let before = try image()
    let differences = try await desk.edit(ids, [.replace(.title, find: "o", with: "0")])
    #expect(differences.count == 7)
    let after = try image()
    #expect(after != before)
    #expect(await desk.steps().undoName == "Edit 10 Tracks")
    #expect(try await desk.undo() == "Edit 10 Tracks")
    #expect(try image() == before)
    #expect(await desk.steps().undoName == nil)
    #expect(await desk.steps().redoName == "Edit 10 Tracks")
    #expect(try await desk.redo() == "Edit 10 Tracks")
    #expect(try image() == after)
    // Another program sees the same.
    let other = try KanoraStore.openExisting(temporary.file).newBackgroundContext()
    let data = try other.performAndWait { try LibraryDocument(in: other).data() }
    #expect(String(decoding: data, as: UTF8.self) == after)
  }

  @Test("edited fields are noted, with the keys that searches use")
  func editedKeys() async throws {
    let id = try #require(try rows("title:taxman").first?.id)
    try await desk.edit([id], [.set(.title, "Täxman"), .set(.year, "1967"), .set(.genre, "Rock")])
    let edited = try read { context in
      let request = NSFetchRequest<Track>(entityName: "Track")
      request.predicate = NSPredicate(format: "titleKey == %@", argumentArray: ["taxman"])
      return try context.fetch(request).map { ($0.title, $0.year, $0.editedFields) }
    }
    #expect(edited.first?.0 == "Täxman" && edited.first?.1 == 1967)
    #expect(edited.first?.2 == ["title", "year"])
    #expect(try rows("edited").map(\.id) == [id])
  }

  @Test("values that a field does not accept are rejected, and nothing changes")
  func badValues() async throws {
    let ids = try rows().map(\.id)
    let before = try image()
    let changes: [[TrackChange]] = [
      [.set(.title, " ")], [.set(.year, "soon")], [.set(.year, "-1")], [.set(.genre, "a\nb")],
      [.set(.trackNumber, "40000")], [.number(from: Int.max)],
      [.replace(.title, find: "", with: "x")],
      [.set(.title, String(repeating: "x", count: 2_000))], [.set(.album, "")],
      [.set(.genre, "Pop"), .set(.discNumber, "")],
    ]
    for change in changes {
      let error = await #expect(throws: KanoraError.self) { try await desk.edit(ids, change) }
      #expect(error?.code == .badValue)
    }
    let error = await #expect(throws: KanoraError.self) {
      try await desk.edit([UUID()], [.set(.genre, "Pop")])
    }
    #expect(error?.code == .notFound)
    #expect(try image() == before)
    #expect(await desk.steps().undoName == nil)
  }

  @Test("all tracks of an album rename it; some move to another album; empty ones go")
  func albums() async throws {
    let road = try rows("album:\"abbey road\"").map(\.id)
    let albumID = try #require(try rows("album:\"abbey road\"").first?.albumID)
    try await desk.edit(road, [.set(.album, "Abbey Road (Remaster)")])
    #expect(try rows("album:remaster").map(\.albumID) == [albumID, albumID, albumID])
    try await desk.edit([road[0]], [.set(.album, "Revolver")])
    #expect(try rows("album:revolver").count == 3)
    try await desk.edit(
      Array(road[1...]), [.set(.album, "Revolver"), .set(.albumArtist, "Beatles")])
    #expect(try read { try LibraryCheck().findings(in: $0) }.isEmpty)
    let albums = try read { try LibraryLists.albums(in: $0) }
    let counts = albums.filter { $0.artist == "Beatles" }.map { $0.trackCount }
    #expect(counts == [2])
    for _ in 0..<3 { try await desk.undo() }
    #expect(try rows("album:=\"abbey road\"").map(\.id) == road)
    #expect(try read { try LibraryCheck().findings(in: $0) }.isEmpty)
  }

  @Test("names that differ only in case or accents are the same album and artist, as in a scan")
  func spellings() async throws {
    let debut = try rows("album:debut")
    let blue = try rows("album:=\"kind of blue\"").map(\.id)
    try await desk.edit(
      [blue[0]], [.set(.album, "DEBUT"), .set(.albumArtist, "bjork")])
    let moved = try rows("album:debut")
    #expect(moved.count == 3 && Set(moved.map(\.albumID)) == Set(debut.map(\.albumID)))
    #expect(moved.allSatisfy { $0.album == "Debut" })
    // A new spelling of a track's own album and artist renames them, for all their tracks.
    try await desk.edit([debut[0].id], [.set(.album, "début"), .set(.albumArtist, "BJÖRK")])
    let renamed = try read { try LibraryLists.albums(in: $0) }
    #expect(renamed.filter { $0.artist == "BJÖRK" }.map(\.title) == ["début"])
    #expect(try read { try LibraryLists.artists(in: $0) }.count == 3)
    #expect(try read { try LibraryCheck().findings(in: $0) }.isEmpty)
  }

  /// Adds an album with two tracks, as an earlier version did without looking for a similar title.
  private func add(_ title: String, of name: String, number: Int) throws {
    try temporary.store.performBatchOperation { context in
      let artists = try context.fetch(NSFetchRequest<Artist>(entityName: "Artist"))
      let artist =
        artists.first { $0.name.utf8.elementsEqual(name.utf8) } ?? Artist(context: context)
      if artist.name.isEmpty {
        artist.rename(to: name)
        artist.library = artists.first?.library
      }
      let album = Album(context: context)
      album.retitle(to: title)
      album.artist = artist
      let date = SampleLibrary.date.addingTimeInterval(Double(number))
      (album.createdAt, artist.createdAt) = (date, date)
      for part in 1...2 {
        let track = Track(context: context)
        (track.title, track.album) = ("Doubled \(number).\(part)", album)
        (track.filePath, track.format) = ("/music/\(number).\(part).flac", "flac")
        track.updateKeys()
      }
      album.updateTotals()
    }
  }

  /// The number of tracks of albums by the bytes of their titles, and of their artists' names.
  private func albumSizes(_ titles: [String], of name: String? = nil) throws -> [Int?] {
    let albums = try read { try LibraryLists.albums(in: $0) }
    return titles.map { title in
      albums.first {
        $0.title.utf8.elementsEqual(title.utf8)
          && (name == nil || $0.artist?.utf8.elementsEqual(name?.utf8 ?? "".utf8) == true)
      }?.trackCount
    }
  }

  @Test(
    "of albums whose titles differ only in an accent's form, an edit takes the exact one, else its own"
  )
  func doubledAlbums() async throws {
    let (composed, decomposed, other) = ("Caf\u{E9}", "Cafe\u{301}", "CAF\u{C9}")
    for (number, title) in [composed, decomposed].enumerated() {
      try add(title, of: "Björk", number: number)
    }
    let ids = try rows("title:doubled").map(\.id)
    let second = try rows("title:\"doubled 1\"").map(\.id)
    #expect(ids.count == 4 && second.count == 2)
    #expect(try albumSizes([composed, decomposed]) == [2, 2])
    try await desk.edit([second[0]], [.set(.album, composed)])
    #expect(try albumSizes([composed, decomposed]) == [3, 1])
    try await desk.undo()
    // A third spelling renames the track's own album, although the other one is older.
    for tracks in [[second[0]], second] {
      try await desk.edit(tracks, [.set(.album, other)])
      #expect(try albumSizes([composed, decomposed, other]) == [2, nil, 2])
      try await desk.undo()
    }
    let debut = try rows("album:debut").map(\.filePath)
    let table = CSVTable(rows: [
      ["path", "album"], [debut[0], composed], [debut[1], decomposed],
    ])
    #expect(try await desk.importTable(table).changed == 2)
    #expect(try albumSizes([composed, decomposed, "Debut"]) == [3, 3, nil])
    #expect(try read { try LibraryCheck().findings(in: $0) }.isEmpty)
  }

  @Test("of artists whose names differ only in an accent's form, an edit takes the exact one")
  func doubledArtists() async throws {
    let (composed, decomposed, other) = ("Zo\u{EB}", "Zoe\u{308}", "ZO\u{CB}")
    for (number, name) in [composed, decomposed].enumerated() {
      try add("Album", of: name, number: number)
    }
    let taxman = try rows("title:taxman").map(\.id)
    try await desk.edit(taxman, [.set(.albumArtist, decomposed)])
    #expect(try albumSizes(["Revolver"], of: decomposed) == [1])
    // A third spelling renames the track's own artist.
    try await desk.edit(taxman, [.set(.albumArtist, other)])
    #expect(try albumSizes(["Album", "Revolver"], of: other) == [2, 1])
    #expect(try albumSizes(["Album", "Revolver"], of: composed) == [2, nil])
    #expect(try read { try LibraryCheck().findings(in: $0) }.isEmpty)
  }

  @Test(
    "a deletion includes playlist entries, plays, empty albums and artists, and undo restores all of them"
  )
  func deletion() async throws {
    let ids = try rows("artist:beatles").map(\.id)
    let before = try image()
    try await desk.deleteTracks(ids)
    #expect(try read { try LibraryLists.artists(in: $0) }.map(\.name) == ["Björk", "Miles Davis"])
    #expect(try read { try LibraryCheck().findings(in: $0) }.isEmpty)
    #expect(try read { try LibraryLists.playlists(in: $0) }.map(\.itemCount) == [0])
    let after = try image()
    #expect(try await desk.undo() == "Delete 5 Tracks")
    #expect(try image() == before)
    try await desk.redo()
    #expect(try image() == after)
    try await desk.undo()
    let albumID = try #require(try rows("album:debut").first?.albumID)
    try await desk.deleteAlbum(albumID)
    #expect(try rows("artist:björk").isEmpty)
    let artistID = try read { try LibraryLists.artists(in: $0)[0].id }
    try await desk.deleteArtist(artistID)
    #expect(try read { try LibraryCheck().findings(in: $0) }.isEmpty)
    #expect(try rows().count == 3)
    try await desk.undo()
    try await desk.undo()
    #expect(try image() == before)
  }

  @Test("ratings and love are undo steps; a value out of range is rejected")
  func ratings() async throws {
    let ids = try rows("artist:björk").map(\.id)
    try await desk.rate(ids, 5)
    try await desk.love(ids, true)
    #expect(try rows("rating:5 loved").map(\.id) == ids)
    #expect(try await desk.undo() == "Love 2 Tracks")
    #expect(try await desk.undo() == "Rate 2 Tracks")
    #expect(try rows("loved").isEmpty)
    let error = await #expect(throws: KanoraError.self) { try await desk.rate(ids, 6) }
    #expect(error?.code == .badValue)
    let nothing = await #expect(throws: KanoraError.self) { try await desk.undo() }
    #expect(nothing?.code == .nothingToUndo)
  }

  @Test("an action that sets equal values is no step, and the last step keeps its name")
  func equalValues() async throws {
    let ids = try rows("artist:björk").map(\.id)
    try await desk.rate(ids, 5)
    try await desk.perform("Nothing") { context in
      for track in try context.fetch(NSFetchRequest<Track>(entityName: "Track")) {
        track.setValue(track.title, forKey: "title")
      }
    }
    #expect(await desk.steps().undoName == "Rate 2 Tracks")
    #expect(try await desk.undo() == "Rate 2 Tracks")
  }

  @Test(
    "a save that the store rejects does not change the library, and the step can be repeated")
  func refusedSave() async throws {
    let ids = try rows("artist:björk").map(\.id)
    let before = try image()
    try temporary.query(
      "CREATE TRIGGER refuse BEFORE UPDATE ON ZTRACK BEGIN SELECT RAISE(ABORT, 'refused'); END;")
    await #expect(throws: (any Error).self) { try await desk.rate(ids, 4) }
    #expect(try image() == before)
    let context = temporary.store.viewContext
    let hasChanges = await context.perform { context.hasChanges }
    #expect(!hasChanges)
    try temporary.query("DROP TRIGGER refuse;")
    #expect(try await desk.redo() == "Rate 2 Tracks")
    #expect(try rows("rating:4").map(\.id).count == 3)
  }
}
