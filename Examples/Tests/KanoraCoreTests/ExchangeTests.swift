import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import StoreSharing
import Synchronization
import Testing

/// Export and import of playlists, tables and whole libraries.
@Suite("Exchange of libraries")
struct ExchangeTests {
  private let temporary: TemporaryLibrary
  private let desk: LibraryDesk

  init() throws {
    temporary = try TemporaryLibrary()
    try temporary.store.performBatchOperation { _ = try SampleLibrary.fill($0) }
    desk = LibraryDesk(temporary.store, now: { SampleLibrary.date })
  }

  private func read<Result>(
    _ store: KanoraStore? = nil, _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let context = (store ?? temporary.store).newBackgroundContext()
    return try context.performAndWait { try body(context) }
  }

  private static let hostile = [
    "a,b", "\"quoted\"", "two\nlines", "cr\r\nlf", "=1+1", "+1", "-1", "@x", "\ttab", " space ",
    "ö🎵",
    "e\u{301}", "\u{FEFF}bom", "'", ";", "\\", "a\"\"b", "#no comment", "100% of it%0A",
  ]

  @Test("a table is read back unchanged, regardless of its contents")
  func tables() throws {
    let rows = [["path", ""], Self.hostile, [""], ["", ""], Array(repeating: "\"", count: 3)]
    #expect(try CSVTable(CSVTable(rows: rows).text).rows == rows)
    #expect(try CSVTable("a,b\nc,d").rows == [["a", "b"], ["c", "d"]])
    #expect(try CSVTable("\u{FEFF}a;b\r\n\r\n\"x\ny\"").rows == [["a;b"], ["x\ny"]])
    #expect(try CSVTable("").rows.isEmpty)
    for text in ["\"open", "\"a\"b", "a,\"b\" ,c"] {
      let error = #expect(throws: KanoraError.self) { try CSVTable(text) }
      #expect(error?.code == .badFile)
    }
    var numbers = SeededNumbers(3)
    for _ in 0..<300 {
      let rows = (0..<3).map { _ in
        (0..<Int.random(in: 1...4, using: &numbers)).map { _ in
          (0..<Int.random(in: 0...3, using: &numbers)).map { _ in
            Self.hostile.randomElement(using: &numbers) ?? ""
          }.joined()
        }
      }
      #expect(try CSVTable(CSVTable(rows: rows).text).rows == rows)
    }
  }

  @Test("a table of all tracks brings edited values back, as one step")
  func trackTable() async throws {
    let ids = try read { try LibraryLists.trackIDs(in: $0) }
    try await desk.edit([ids[0]], [.set(.title, "=HYPERLINK(\"x\")"), .set(.lyrics, "a\nb,\"c\"")])
    let table = try read { try TrackTable.table(in: $0) }
    let before = try read { try LibraryDocument(in: $0).data() }
    #expect(table.rows.count == 11)
    #expect(table.rows.contains { $0.contains("=HYPERLINK(\"x\")") })
    let unchanged = try await desk.importTable(try CSVTable(table.text))
    #expect(unchanged.changed == 0 && unchanged.unknown.isEmpty)
    #expect(try read { try LibraryDocument(in: $0).data() } == before)
    try await desk.edit(ids, [.set(.title, "X"), .set(.genre, "Y"), .set(.album, "Z")])
    try await desk.rate(ids, 1)
    let result = try await desk.importTable(try CSVTable(table.text))
    #expect(result.changed == 10)
    #expect(
      try read { try TrackTable.table(in: $0) }.rows.map { $0.dropLast() }.sorted { $0[0] < $1[0] }
        == table.rows.map { $0.dropLast() }.sorted { $0[0] < $1[0] })
    #expect(try await desk.undo() == "Import Table")
    #expect(
      try read { try LibraryLists.tracks(window: 0..<99, in: $0) }.allSatisfy { $0.title == "X" })
  }

  private func albums() throws -> [String: AlbumRow] {
    let albums = try read { try LibraryLists.albums(in: $0) }
    return Dictionary(uniqueKeysWithValues: albums.map { ($0.title, $0) })
  }

  @Test("a table that renames an album on all its tracks keeps the album with its own values")
  func renamedAlbum() async throws {
    let before = try #require(try albums()["Abbey Road"])
    let text = try read { try TrackTable.table(in: $0) }.text
    let edited = text.replacing(",Abbey Road,", with: ",Abbey Road (Remaster),")
    #expect(try await desk.importTable(try CSVTable(edited)).changed == 3)
    let after = try #require(try albums()["Abbey Road (Remaster)"])
    #expect(after.id == before.id && after.trackCount == 3)
    #expect(try albums().count == 4)
  }

  @Test("two albums can exchange their titles in one table")
  func exchangedTitles() async throws {
    let before = try albums()
    let text = try read { try TrackTable.table(in: $0) }.text
      .replacing(",Abbey Road,", with: ",@,").replacing(",Revolver,", with: ",Abbey Road,")
      .replacing(",@,", with: ",Revolver,")
    #expect(try await desk.importTable(try CSVTable(text)).changed == 5)
    let after = try albums()
    #expect(after["Revolver"]?.id == before["Abbey Road"]?.id)
    #expect(after["Abbey Road"]?.id == before["Revolver"]?.id)
    #expect(after["Revolver"]?.trackCount == 3 && after["Abbey Road"]?.trackCount == 2)
    #expect(try read { try LibraryCheck().findings(in: $0) }.isEmpty)
  }

  @Test("a table that keeps values which an edit would refuse is imported, and changes nothing")
  func keptValues() async throws {
    try temporary.store.performBatchOperation { context in
      let tracks = try context.fetch(NSFetchRequest<Track>(entityName: "Track"))
      for track in tracks where track.title == "Taxman" {
        (track.year, track.composer, track.lyrics) = (-1, "a\u{1}b", "a\n")
        (track.album, track.rating) = (nil, 9)
      }
    }
    let before = try read { try LibraryDocument(in: $0).data() }
    let table = try read { try TrackTable.table(in: $0) }
    #expect(try await desk.importTable(try CSVTable(table.text)).changed == 0)
    #expect(try read { try LibraryDocument(in: $0).data() } == before)
  }

  @Test(
    "a table that does not fit is an error, and changes nothing",
    arguments: [
      "title\nx", "path,path\na,b", "path,title\n/a", "path,title\n%,a\n%,b", "path,rating\n%,9",
      "path,loved\n%,maybe", "path,year\n%,soon", "path,title\n%,",
    ])
  func badTables(_ text: String) async throws {
    let path = try read { try LibraryLists.tracks(window: 0..<1, in: $0)[0].filePath }
    let before = try read { try LibraryDocument(in: $0).data() }
    let table = try CSVTable(text.replacingOccurrences(of: "%", with: path))
    await #expect(throws: KanoraError.self) { try await desk.importTable(table) }
    #expect(try read { try LibraryDocument(in: $0).data() } == before)
  }

  @Test("a playlist file brings its tracks back in their order, with duplicates")
  func playlists() async throws {
    let ids = try read { try LibraryLists.trackIDs(in: $0) }
    let list = try await desk.makePlaylist(
      "100% \"Mix\"", tracks: [ids[3], ids[0], ids[3], ids[7]])
    let file = try read { try PlaylistFile(playlist: list, in: $0) }
    let again = PlaylistFile(text: file.text)
    #expect(again == file)
    #expect(again.name == "100% \"Mix\"")
    let copy = try await desk.importPlaylist(again)
    #expect(copy.unknown.isEmpty)
    #expect(
      try read { try LibraryLists.tracks(ofPlaylist: copy.id, in: $0) }.map(\.id) == [
        ids[3], ids[0], ids[3], ids[7],
      ])
  }

  @Test("paths of any kind are one line each and are read back; unknown paths are reported")
  func hostilePaths() async throws {
    let paths = Self.hostile.map { "/music/\($0)" } + ["/a\u{2028}b", "/a\u{0B}b", "/#x", "/x%20y"]
    try temporary.store.performBatchOperation { context in
      let tracks = try context.fetch(NSFetchRequest<Track>(entityName: "Track"))
      for (track, path) in zip(tracks, paths) { track.filePath = path }
    }
    let known = try read { context in
      try LibraryLists.tracks(window: 0..<99, in: context).map { ($0.filePath, $0.id) }
    }
    let list = try await desk.makePlaylist("x", tracks: known.map(\.1))
    let file = try read { try PlaylistFile(playlist: list, in: $0) }
    #expect(PlaylistFile(text: file.text).entries.map(\.path) == known.map(\.0))
    let foreign = PlaylistFile(
      text: "\u{FEFF}#EXTM3U\r\n#EXTINF:12,Artist - Title\r\nsub/x.mp3\r\n\r\nfile:///b%20c.mp3",
      in: URL(fileURLWithPath: "/music"))
    #expect(foreign.entries.map(\.path) == ["/music/sub/x.mp3", "/b c.mp3"])
    #expect(foreign.entries.map(\.seconds) == [12, nil])
    #expect(try await desk.importPlaylist(foreign).unknown.count == 2)
  }

  @Test("a playlist file has no duration for a track whose duration is no number of seconds")
  func endlessTracks() async throws {
    try temporary.store.performBatchOperation { context in
      let tracks = try context.fetch(NSFetchRequest<Track>(entityName: "Track"))
      for track in tracks { track.duration = 1e300 }
    }
    let ids = try read { try LibraryLists.trackIDs(in: $0) }
    let list = try await desk.makePlaylist("x", tracks: [ids[0]])
    let file = try read { try PlaylistFile(playlist: list, in: $0) }
    #expect(file.entries.map(\.seconds) == [nil])
    #expect(file.text.contains("#EXTINF:-1,"))
  }

  @Test("files whose names differ only in Unicode normalization stay distinct in every format")
  func accents() async throws {
    let trial = try ScanTrial()
    try trial.write("\u{E9}.mp3", "A", "B", "One")
    try trial.write("e\u{301}.mp3", "A", "B", "Two")
    try trial.write("\u{E8}.mp3", ["broken": "yes"])
    try trial.write("e\u{300}.mp3", ["broken": "yes"])
    try await trial.scan()
    #expect(try trial.count("Track") == 2 && trial.count("BadFile") == 2)
    let desk = LibraryDesk(trial.store, now: { SampleLibrary.date })
    let before = try read(trial.store) { try LibraryDocument(in: $0).data() }

    let table = try read(trial.store) { try TrackTable.table(in: $0) }
    let result = try await desk.importTable(try CSVTable(table.text), unknown: .refused)
    #expect(result.changed == 0)
    #expect(try read(trial.store) { try LibraryDocument(in: $0).data() } == before)

    let other = try TemporaryLibrary()
    try await LibraryDesk(other.store).importDocument(before)
    #expect(try read(other.store) { try LibraryDocument(in: $0).data() } == before)
    try await desk.importDocument(before)
    #expect(try read(trial.store) { try LibraryDocument(in: $0).data() } == before)

    let ids = try read(trial.store) { try LibraryLists.trackIDs(in: $0) }
    let list = try await desk.makePlaylist("x", tracks: ids)
    let file = try read(trial.store) { try PlaylistFile(playlist: list, in: $0) }
    let copy = try await desk.importPlaylist(PlaylistFile(text: file.text), unknown: .refused)
    #expect(
      try read(trial.store) { try LibraryLists.tracks(ofPlaylist: copy.id, in: $0) }.map(\.id)
        == ids)
  }

  @Test("a library is restored completely from its document, in another store and in its own")
  func document() async throws {
    try await desk.makeSmartPlaylist("Smart", SmartRules(try LibraryQuery("loved")))
    let before = try read { try LibraryDocument(in: $0).data() }
    let other = try TemporaryLibrary()
    let count = try await LibraryDesk(other.store).importDocument(before)
    #expect(count == 30)
    #expect(try read(other.store) { try LibraryDocument(in: $0).data() } == before)
    #expect(try read(other.store) { try LibraryCheck().findings(in: $0) }.isEmpty)
    try await desk.importDocument(before)
    let again = try read { try LibraryDocument(in: $0).data() }
    #expect(again == before)
    #expect(try await LibraryDesk(other.store).undo() == "Import Library")
    #expect(try read(other.store) { try LibraryLists.trackCount(in: $0) } == 0)
  }

  private static func addAlbum(in context: NSManagedObjectContext) throws {
    let artist = Artist(context: context)
    artist.rename(to: "New Artist")
    artist.library = try context.fetch(NSFetchRequest<Library>(entityName: "Library")).first
    let album = Album(context: context)
    album.retitle(to: "New Album")
    album.artist = artist
    let track = Track(context: context)
    (track.title, track.album, track.format) = ("New", album, "flac")
    (track.filePath, track.createdAt) = ("/music/new.flac", SampleLibrary.date)
    album.updateTotals()
  }

  @Test("a document contains one state of a library that another program changes meanwhile")
  func oneState() throws {
    let before = try read { try LibraryDocument(in: $0).data() }
    let writer = Mutex<KanoraStore?>(nil)
    let observer = StatementObserver { statement in
      guard statement.contains("ZALBUM") else { return }
      let store = writer.withLock { store in
        defer { store = nil }
        return store
      }
      // The number of tracks shows whether the save has failed.
      try? store?.performBatchOperation { try Self.addAlbum(in: $0) }
    }
    let reader = try KanoraStore.openExisting(
      temporary.file, options: [OpenStatementObserverOption: observer])
    writer.withLock { $0 = temporary.store }
    let data = try read(reader) { try LibraryDocument(in: $0).data() }
    #expect(try read { try LibraryLists.trackCount(in: $0) } == 11)
    #expect(data == before)
  }

  @Test("an older document keeps totals and positions correct with newer tracks and items")
  func olderDocument() async throws {
    let older = try read { try LibraryDocument(in: $0).data() }
    let (list, last) = try read { context in
      (try LibraryLists.playlists(in: context)[0].id, try LibraryLists.trackIDs(in: context)[9])
    }
    try await desk.add([last], toPlaylist: list)
    try await desk.move(from: 4, to: 0, inPlaylist: list)
    try await desk.perform("Add Track") { context in
      let album = try context.fetch(NSFetchRequest<Album>(entityName: "Album")).first
      let track = Track(context: context)
      (track.title, track.album, track.format) = ("New", album, "flac")
      (track.filePath, track.duration) = ("/music/new.flac", 5)
      album?.updateTotals()
    }
    try await desk.importDocument(older)
    #expect(try read { try LibraryCheck().findings(in: $0) }.isEmpty)
    #expect(try read { try LibraryLists.tracks(ofPlaylist: list, in: $0) }.count == 5)
    #expect(try read { try LibraryLists.trackCount(in: $0) } == 11)
  }

  @Test(
    "a number or date out of range makes a document an error that names the property",
    arguments: [
      ("rating", 6), ("rating", -1), ("playCount", -2_147_483_648), ("bitrate", -2_147_483_648),
      ("sampleRate", -1), ("channels", -1), ("fileSize", -1), ("fileSize", 9e18),
      ("duration", 1e300), ("duration", 1e9), ("duration", -1), ("createdAt", 1e13),
      ("lastPlayedAt", -1e300),
    ] as [(String, Double)])
  func outOfRange(_ property: String, _ value: Double) async throws {
    let before = try read { try LibraryDocument(in: $0).data() }
    let json = try JSONSerialization.jsonObject(with: before)
    var document = try #require(json as? [String: Any])
    var objects = try #require(document["objects"] as? [String: Any])
    var tracks = try #require(objects["Track"] as? [[String: Any]])
    tracks[0][property] = value
    objects["Track"] = tracks
    document["objects"] = objects
    let damaged = try JSONSerialization.data(withJSONObject: document)
    let error = await #expect(throws: KanoraError.self) { try await desk.importDocument(damaged) }
    #expect(error?.code == .badFile)
    #expect(error?.message.contains(" of “Track.\(property)” is out of range.") == true)
    #expect(try read { try LibraryDocument(in: $0).data() } == before)
  }

  @Test(
    "a document that is damaged in any way is an error, or a library; nothing is changed by an error"
  )
  func damagedDocuments() async throws {
    let data = try read { try LibraryDocument(in: $0).data() }
    let texts = [
      "", "[]", "{}", "{\"format\":\"kanora\"}",
      "{\"format\":\"kanora\",\"version\":2,\"objects\":{}}",
      "{\"format\":\"kanora\",\"version\":3,\"objects\":{\"Track\":1}}",
      "{\"format\":\"kanora\",\"version\":3,\"objects\":{\"Other\":[]}}",
      "{\"format\":\"kanora\",\"version\":3,\"objects\":{\"Track\":[{}]}}",
      "{\"format\":\"kanora\",\"version\":3,\"objects\":{\"Artist\":[{\"id\":\"x\"}]}}",
      "{\"format\":\"kanora\",\"version\":3,\"objects\":{\"Play\":[{\"date\":0,\"track\":\"x\"}]}}",
      "{\"format\":\"kanora\",\"version\":3,\"objects\":{\"Play\":[{\"more\":0}]}}",
    ]
    for text in texts {
      let error = await #expect(throws: KanoraError.self) {
        try await desk.importDocument(Data(text.utf8))
      }
      #expect(error?.code == .badFile)
    }
    var numbers = SeededNumbers(11)
    for _ in 0..<40 {
      var damaged = data
      for _ in 0..<Int.random(in: 1...4, using: &numbers) {
        let place = Int.random(in: 0..<damaged.count, using: &numbers)
        damaged[place] = UInt8.random(in: 32...126, using: &numbers)
      }
      do {
        try await desk.importDocument(damaged)
        if await desk.steps().undoName != nil { try await desk.undo() }
      } catch is KanoraError {} catch is CocoaError {}
      #expect(try read { try LibraryDocument(in: $0).data() } == data)
    }
  }
}
