import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import StoreSharing
import Testing

/// Statistics, checks and repairs.
@Suite("Health of a library")
struct HealthTests {
  private let temporary: TemporaryLibrary
  private let desk: LibraryDesk

  init() throws {
    temporary = try TemporaryLibrary()
    desk = LibraryDesk(temporary.store, now: { SampleLibrary.date.addingTimeInterval(1_000_000) })
  }

  private func image() throws -> String {
    let context = temporary.store.newBackgroundContext()
    let data = try context.performAndWait { try LibraryDocument(in: context).data() }
    return String(decoding: data, as: UTF8.self)
  }

  private func findings() throws -> [LibraryFinding] {
    let context = temporary.store.newBackgroundContext()
    return try context.performAndWait { try LibraryCheck().findings(in: context) }
  }

  @Test("statistics equal SQLite's counts and sums")
  func statistics() throws {
    try temporary.fill(artists: 5, albums: 2, tracks: 7)
    try temporary.store.performBatchOperation { context in
      let request = NSFetchRequest<Track>(entityName: "Track")
      for (index, track) in try context.fetch(request).enumerated() {
        track.playCount = Int32(index % 4)
        if index % 5 == 0 { (track.genre, track.year) = (nil, nil) }
        if index % 9 == 0 { (track.format, track.missingSince) = ("mp3", SampleLibrary.date) }
      }
    }
    let context = temporary.store.newBackgroundContext()
    let statistics = try context.performAndWait { try LibraryStatistics(in: context) }
    func parts(_ parts: [LibraryStatistics.Part]) -> String {
      parts.map {
        "\($0.name ?? "")|\($0.trackCount)|\($0.seconds)|\($0.bytes)"
      }.joined(separator: "\n")
    }
    func sql(_ column: String, _ order: String) throws -> String {
      try temporary.query(
        "SELECT \(column), COUNT(*), SUM(ZDURATION), SUM(ZFILESIZE) FROM ZTRACK "
          + "GROUP BY \(column) ORDER BY \(order);")
    }
    #expect(try parts(statistics.formats) == sql("ZFORMAT", "2 DESC, 1"))
    #expect(try parts(statistics.genres) == sql("ZGENRE", "2 DESC, 1 NULLS LAST"))
    #expect(try parts(statistics.years) == sql("ZYEAR", "1 NULLS LAST"))
    let totals = try temporary.query(
      "SELECT COUNT(*), SUM(ZDURATION), SUM(ZFILESIZE), SUM(ZPLAYCOUNT) FROM ZTRACK;")
    let counted = [
      "\(statistics.trackCount)", "\(statistics.seconds)", "\(statistics.bytes)",
      "\(statistics.playCount)",
    ].joined(separator: "|")
    #expect(counted == totals)
    #expect(statistics.albumCount == 10 && statistics.artistCount == 5)
    #expect(
      try "\(statistics.missingCount)"
        == temporary.query("SELECT COUNT(*) FROM ZTRACK WHERE ZMISSINGSINCE IS NOT NULL;"))
    #expect(statistics.topPlayed.count == 10)
    #expect(statistics.topPlayed.allSatisfy { $0.playCount == 3 })
    #expect(statistics.hours == statistics.seconds / 3_600)
  }

  @Test("an empty library has statistics and nothing wrong")
  func empty() throws {
    let context = temporary.store.newBackgroundContext()
    let statistics = try context.performAndWait { try LibraryStatistics(in: context) }
    #expect(statistics.trackCount == 0 && statistics.bytes == 0 && statistics.formats.isEmpty)
    #expect(try findings().isEmpty)
  }

  /// Damages the sample library in every way that a check detects.
  private func damage() throws {
    try temporary.store.performBatchOperation { context in
      let library = try SampleLibrary.fill(context)
      func tracks() throws -> [String: Track] {
        let tracks = try context.fetch(NSFetchRequest<Track>(entityName: "Track"))
        return Dictionary(tracks.map { ($0.title, $0) }) { first, _ in first }
      }
      let all = try tracks()
      all["Taxman"]?.album = nil
      all["So What"]?.missingSince = SampleLibrary.date
      all["All Blues"]?.fingerprint = all["Blue in Green"]?.fingerprint
      all["Venus as a Boy"]?.album?.artist = nil
      let empty = Album(context: context)
      empty.retitle(to: "Empty")
      empty.artist = library.artists.first { $0.name == "Miles Davis" }
      let lonely = Artist(context: context)
      lonely.rename(to: "Lonely")
      let homeless = Artist(context: context)
      homeless.rename(to: "Nobody")
      homeless.library = library
      all["Something"]?.album?.trackCount = 99
      for item in library.playlists.first?.items ?? [] { item.position += 1 }
    }
  }

  @Test("each kind of damage is found, without other findings")
  func damaged() throws {
    try damage()
    let found = Dictionary(grouping: try findings(), by: \.kind).mapValues {
      $0.map(\.title).sorted()
    }
    #expect(
      found == [
        .trackWithoutAlbum: ["Taxman"], .albumWithoutArtist: ["Debut"],
        .artistWithoutLibrary: ["Lonely"], .positions: ["Evening"], .missingFile: ["So What"],
        .wrongTotals: ["Abbey Road", "Revolver"], .emptyAlbum: ["Empty"],
        .emptyArtist: ["Björk", "Lonely", "Nobody"], .duplicateAudio: ["Blue in Green"],
      ] || found[.duplicateAudio] == ["All Blues"])
    #expect(found.count == 9)
    #expect(try LibraryCheck().storeFindings(in: temporary.store).isEmpty)
    let context = temporary.store.newBackgroundContext()
    let issues = try context.performAndWait { try LibraryCheck.issues(in: context) }
    #expect(issues.contains("Taxman: The track does not belong to an album."))
    let check = LibraryCheck(fileExists: { $0.hasSuffix("Taxman.flac") })
    let missing = try context.performAndWait { try check.findings([.missingFile], in: context) }
    #expect(missing.count == 9)
  }

  @Test("two tracks with one path are found in a store without its constraint, and repaired")
  func doubledPaths() async throws {
    try temporary.store.performBatchOperation { _ = try SampleLibrary.fill($0) }
    let index = try temporary.query(
      "SELECT name FROM sqlite_master WHERE type='index' AND tbl_name='ZTRACK' AND sql LIKE '%UNIQUE%' AND sql LIKE '%ZFILEPATH%';"
    )
    #expect(!index.isEmpty)
    try temporary.query(
      "DROP INDEX \(index); UPDATE ZTRACK SET ZFILEPATH = (SELECT ZFILEPATH FROM ZTRACK WHERE ZTITLE = 'Taxman') WHERE ZTITLE = 'So What';"
    )
    #expect(try findings().map(\.kind) == [.doubledPath])
    let stored = try LibraryCheck().storeFindings(in: temporary.store)
    #expect(stored.contains { $0.kind == .duplicateValues })
    try await desk.repair([.doubledPath])
    #expect(try findings().isEmpty)
  }

  @Test("repairs leave nothing wrong, keep all plays, and are one step that can be undone")
  func repairs() async throws {
    try damage()
    let before = try image()
    let plays = try temporary.query("SELECT SUM(ZPLAYCOUNT) FROM ZTRACK WHERE ZTITLE <> 'So What';")
    let repaired = try await desk.repair(Set(LibraryFinding.Kind.allCases))
    #expect(Set(repaired.map(\.kind)).count >= 9)
    #expect(try findings().isEmpty)
    #expect(try LibraryCheck().storeFindings(in: temporary.store).isEmpty)
    let titles = try temporary.query("SELECT ZTITLE FROM ZTRACK ORDER BY 1;")
    // One of the two tracks with the same audio stays.
    #expect(titles.split(separator: "\n").count == 8)
    #expect(titles.contains("Taxman") && titles.contains("Venus as a Boy"))
    #expect(try temporary.query("SELECT SUM(ZPLAYCOUNT) FROM ZTRACK;") == plays)
    let after = try image()
    #expect(try await desk.undo() == "Repair Library")
    #expect(try image() == before)
    try await desk.redo()
    #expect(try image() == after)
    try await desk.makePlaylist("Last")
    #expect(try await desk.repair(Set(LibraryFinding.Kind.allCases)).isEmpty)
    #expect(try await desk.undo() == "New Playlist")
    #expect(try await desk.undo() == "Repair Library")
    #expect(await desk.steps().undoName == nil)
  }

  @Test("the greatest and least numbers of tracks are compared and added")
  func extremeNumbers() throws {
    try temporary.fill(artists: 1, albums: 1, tracks: 2)
    try temporary.store.performBatchOperation { context in
      let request = NSFetchRequest<Track>(entityName: "Track")
      request.sortDescriptors = [NSSortDescriptor(key: "filePath", ascending: true)]
      let tracks = try context.fetch(request)
      tracks[0].fingerprint = tracks[1].fingerprint
      (tracks[0].bitrate, tracks[0].playCount) = (Int32.min, Int32.min)
      (tracks[0].fileSize, tracks[1].fileSize) = (Int64.max, 0)
    }
    let context = temporary.store.newBackgroundContext()
    try context.performAndWait {
      let audio = try DuplicateFinder.duplicates(by: .audio, in: context)
      #expect(audio.map { $0.map(\.filePath) } == [["/music/0/0/2.flac", "/music/0/0/1.flac"]])
      #expect(try LibraryStatistics(in: context).bytes == Int64.max)
    }
  }

  @Test("duplicates are found by audio and by tags, the best first, and gaps by disc")
  func duplicates() throws {
    try temporary.fill(artists: 2, albums: 1, tracks: 5)
    try temporary.store.performBatchOperation { context in
      let request = NSFetchRequest<Track>(entityName: "Track")
      request.sortDescriptors = [NSSortDescriptor(key: "filePath", ascending: true)]
      let tracks = try context.fetch(request)
      tracks[0].fingerprint = tracks[1].fingerprint
      (tracks[0].bitrate, tracks[1].bitrate) = (128, 320)
      tracks[3].title = "sóng 3"
      (tracks[3].trackNumber, tracks[4].trackNumber) = (7, nil)
      (tracks[9].discNumber, tracks[9].trackNumber) = (2, 3)
    }
    let context = temporary.store.newBackgroundContext()
    try context.performAndWait {
      let audio = try DuplicateFinder.duplicates(by: .audio, in: context)
      #expect(audio.map { $0.map(\.filePath) } == [["/music/0/0/2.flac", "/music/0/0/1.flac"]])
      let tags = try DuplicateFinder.duplicates(by: .tags, in: context)
      #expect(tags.map { Set($0.map(\.filePath)) } == [["/music/0/0/3.flac", "/music/0/0/4.flac"]])
      let gaps = try DuplicateFinder.gaps(in: context)
      #expect(gaps.map(\.album) == ["Album 0.0", "Album 1.0"])
      #expect(gaps.map(\.missing) == [[4, 5, 6], [1, 2]])
      #expect(gaps.map(\.discNumber) == [1, 2])
    }
  }
}
