import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import OpenTestSupport
import StoreSharing
import Testing

/// The lists of the music library.
@Suite("Library lists")
struct ListTests {
  @Test("artists are sorted by sort name, albums by artist and year, tracks by disc and number")
  func orders() throws {
    let temporary = try TemporaryLibrary()
    try temporary.store.performBatchOperation { context in
      _ = try SampleLibrary.fill(context)
      let request = NSFetchRequest<Track>(entityName: "Track")
      for track in try context.fetch(request) where track.title == "Come Together" {
        track.discNumber = 2
      }
    }
    let context = temporary.store.newBackgroundContext()
    try context.performAndWait {
      #expect(
        try LibraryLists.artists(in: context).map(\.name)
          == ["The Beatles", "Björk", "Miles Davis"])
      #expect(try LibraryLists.artists(in: context).map(\.trackCount) == [5, 2, 3])
      #expect(
        try LibraryLists.albums(in: context).map(\.title)
          == ["Revolver", "Abbey Road", "Debut", "Kind of Blue"])
      let tracks = try LibraryLists.tracks(window: 0..<3, in: context).map(\.title)
      #expect(tracks == ["Something", "Here Comes the Sun", "Come Together"])
      #expect(
        try LibraryLists.genres(in: context).map { "\($0.value ?? "-") \($0.trackCount)" }
          == ["Electronic 2", "Jazz 3", "Rock 5"])
      #expect(try LibraryLists.years(in: context).map(\.value) == [1993, 1969, 1966, 1959])
    }
  }

  @Test("each column filters the next ones")
  func browser() throws {
    let temporary = try TemporaryLibrary()
    try temporary.store.performBatchOperation { _ = try SampleLibrary.fill($0) }
    let context = temporary.store.newBackgroundContext()
    try context.performAndWait {
      var filter = TrackFilter(genre: "Rock")
      let artists = try LibraryLists.artists(filter, in: context)
      #expect(artists.map(\.name) == ["The Beatles"])
      filter.artistID = artists.first?.id
      let albums = try LibraryLists.albums(filter, in: context)
      #expect(albums.map(\.title) == ["Revolver", "Abbey Road"])
      filter.albumID = albums.last?.id
      #expect(
        try LibraryLists.tracks(filter, window: 0..<10, in: context).map(\.title)
          == ["Come Together", "Something", "Here Comes the Sun"])
      #expect(try LibraryLists.trackCount(filter, in: context) == 3)
      filter.genre = "Jazz"
      #expect(try LibraryLists.artists(filter, in: context).isEmpty)
    }
  }

  @Test("the windows of each order contain all tracks once", arguments: TrackOrder.allCases)
  func windows(_ order: TrackOrder) throws {
    let temporary = try TemporaryLibrary()
    try temporary.fill(artists: 4, albums: 2, tracks: 9)
    let context = temporary.store.newBackgroundContext()
    try context.performAndWait {
      for isAscending in [true, false] {
        let ids = try LibraryLists.trackIDs(by: order, isAscending: isAscending, in: context)
        #expect(ids.count == 72 && Set(ids).count == 72)
        let windows = try stride(from: 0, to: 80, by: 10).flatMap { start in
          try LibraryLists.tracks(
            by: order, isAscending: isAscending, window: start..<(start + 10), in: context)
        }
        #expect(windows.map(\.id) == ids)
        #expect(
          try LibraryLists.tracks(ids.suffix(5).map { $0 }, in: context).map(\.id) == ids.suffix(5))
      }
    }
  }

  @Test(
    "windows far from the start are those of the whole list, also with gaps in it",
    arguments: [TrackOrder.album, .rating])
  func farWindows(_ order: TrackOrder) throws {
    let temporary = try TemporaryLibrary()
    try temporary.fill(artists: 6, albums: 4, tracks: 20)
    let context = temporary.store.newBackgroundContext()
    try context.performAndWait {
      let albums = try context.fetch(NSFetchRequest<Album>(entityName: "Album"))
      for album in albums.prefix(3) { album.artist = nil }
      for album in albums.dropFirst(3).prefix(2) {
        for track in album.tracks { track.album = nil }
      }
      try context.save()
      let query = try LibraryQuery("rating:>=2")
      for filter in [TrackFilter(), TrackFilter(genre: "Rock"), TrackFilter(query: query)] {
        for isAscending in [true, false] {
          let ids = try LibraryLists.trackIDs(
            filter, by: order, isAscending: isAscending, in: context)
          #expect(ids.count > 100)
          for start in stride(from: 200, to: ids.count + 60, by: 33) {
            let window = start..<(start + 50)
            let rows = try LibraryLists.tracks(
              filter, by: order, isAscending: isAscending, window: window, in: context)
            #expect(rows.map(\.id) == Array(ids[window.clamped(to: 0..<ids.count)]))
          }
        }
      }
    }
  }

  @Test("the windows of artists and albums together contain all of them once")
  func columnWindows() throws {
    let temporary = try TemporaryLibrary()
    try temporary.fill(artists: 30, albums: 3, tracks: 2)
    let context = temporary.store.newBackgroundContext()
    try context.performAndWait {
      // Artists and albums without tracks are in no list.
      for number in 0..<230 {
        let artist = Artist(context: context)
        artist.rename(to: "A\(number)")
        let album = Album(context: context)
        album.retitle(to: "A\(number)")
        album.artist = artist
      }
      try context.save()
      for filter in [TrackFilter(), TrackFilter(genre: "Rock")] {
        let (artists, albums) = (
          try LibraryLists.artists(filter, in: context),
          try LibraryLists.albums(filter, in: context)
        )
        #expect(try LibraryLists.artistCount(filter, in: context) == artists.count)
        #expect(try LibraryLists.albumCount(filter, in: context) == albums.count)
        #expect(artists.map(\.albumCount).reduce(0, +) == albums.count)
        let windows = stride(from: 0, to: 100, by: 7).map { $0..<($0 + 7) }
        #expect(
          try windows.flatMap { try LibraryLists.artists(filter, window: $0, in: context) }
            == artists)
        #expect(
          try windows.flatMap { try LibraryLists.albums(filter, window: $0, in: context) }
            == albums)
      }
    }
  }

  @Test(
    "lists take the same few statements regardless of the size of the library", arguments: [2, 12])
  func statements(_ artists: Int) throws {
    let recorder = StatementRecorder()
    let temporary = try TemporaryLibrary(recording: recorder)
    try temporary.fill(artists: artists, albums: 3, tracks: 10)
    let context = temporary.store.newBackgroundContext()
    func cost(_ body: () throws -> Void) throws -> Int {
      let start = recorder.all.count
      try context.performAndWait {
        context.reset()
        try body()
      }
      // What the context asks the history for is no part of a list.
      return recorder.all.dropFirst(start).count {
        $0.hasPrefix("SELECT") && !$0.contains("ATRANSACTION")
      }
    }
    #expect(try cost { _ = try LibraryLists.tracks(window: 10..<50, in: context) } <= 4)
    #expect(try cost { _ = try LibraryLists.artists(in: context) } <= 4)
    #expect(try cost { _ = try LibraryLists.albums(in: context) } <= 4)
    #expect(try cost { _ = try LibraryLists.genres(in: context) } == 1)
    #expect(try cost { _ = try LibraryLists.trackCount(in: context) } == 1)
    #expect(try cost { _ = try LibraryStatistics(in: context) } <= 11)
  }

  @Test("lists follow the changes of another program")
  func following() async throws {
    let temporary = try TemporaryLibrary()
    try temporary.fill(artists: 1, albums: 1, tracks: 3)
    let other = try KanoraStore.openExisting(temporary.file)
    let feed = LibraryFeed(StoreFeed(temporary.store))
    let rows = feed.tracks(window: 0..<10)
    #expect(try await rows.load().count == 3)
    var changes = rows.changes().makeAsyncIterator()
    let ids = try await rows.load().map(\.id)
    try await LibraryDesk(other).rate(ids, 5)
    #expect(await changes.next() != nil)
    while try await rows.load().map(\.rating) != [5, 5, 5] {
      guard await changes.next() != nil else { break }
    }
    #expect(try await rows.load().map(\.rating) == [5, 5, 5])
  }

  @Test("plays raise the count, and lists of plays follow")
  func plays() async throws {
    let temporary = try TemporaryLibrary()
    try temporary.fill(artists: 1, albums: 1, tracks: 3)
    let desk = LibraryDesk(temporary.store, now: { SampleLibrary.date })
    let later = LibraryDesk(temporary.store, now: { SampleLibrary.date.addingTimeInterval(60) })
    let context = temporary.store.newBackgroundContext()
    let ids = try context.performAndWait { try LibraryLists.trackIDs(in: context) }
    try await desk.recordPlay(of: ids[0])
    try await desk.recordPlay(of: ids[0])
    try await later.recordPlay(of: ids[2])
    try context.performAndWait {
      let count = try context.count(for: NSFetchRequest<Play>(entityName: "Play"))
      #expect(count == 3)
      #expect(try LibraryLists.recentlyPlayed(in: context).map(\.id) == [ids[2], ids[0]])
      #expect(try LibraryLists.mostPlayed(in: context).map(\.playCount) == [2, 1])
    }
    #expect(await desk.steps().undoName == nil)
    let error = await #expect(throws: KanoraError.self) { try await desk.recordPlay(of: UUID()) }
    #expect(error?.code == .notFound)
  }

  @Test("plays that two programs record at the same time all count")
  func simultaneousPlays() async throws {
    let temporary = try TemporaryLibrary()
    try temporary.fill(artists: 1, albums: 1, tracks: 1)
    let other = try KanoraStore.openExisting(temporary.file)
    let desks = [temporary.store, other].map { LibraryDesk($0, now: { SampleLibrary.date }) }
    let context = temporary.store.newBackgroundContext()
    let ids = try context.performAndWait { try LibraryLists.trackIDs(in: context) }
    let id = try #require(ids.first)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        group.addTask { try await desks[number % 2].recordPlay(of: id) }
      }
      try await group.waitForAll()
    }
    let counts = try temporary.query(
      "SELECT ZPLAYCOUNT, (SELECT COUNT(*) FROM ZPLAY) FROM ZTRACK;")
    #expect(counts == "60|60")
  }

  @Test("a library of 50,000 tracks is listed without waiting", .enabled(if: LongTests.areOn))
  func large() throws {
    let temporary = try TemporaryLibrary()
    try temporary.fill(artists: 500, albums: 10, tracks: 10)
    let context = temporary.store.newBackgroundContext()
    let clock = ContinuousClock()
    func time(_ name: String, _ body: () throws -> Void) throws {
      let duration = try clock.measure {
        try context.performAndWait {
          context.reset()
          try body()
        }
      }
      print("50,000 tracks, \(name): \(duration)")
      #expect(duration < .seconds(2))
    }
    try time("window by album") {
      _ = try LibraryLists.tracks(window: 40_000..<40_100, in: context)
    }
    try time("window by title") {
      _ = try LibraryLists.tracks(by: .title, window: 100..<200, in: context)
    }
    try time("ids by album") { _ = try LibraryLists.trackIDs(in: context) }
    try time("first window of albums") {
      _ = try LibraryLists.albums(window: 0..<100, in: context)
    }
    try time("first window of artists") {
      _ = try LibraryLists.artists(window: 0..<100, in: context)
    }
    try time("first window by album") { _ = try LibraryLists.tracks(window: 0..<100, in: context) }
    try time("years") { _ = try LibraryLists.years(in: context) }
    try time("artists") { _ = try LibraryLists.artists(in: context) }
    try time("albums") { _ = try LibraryLists.albums(in: context) }
    try time("genres") { _ = try LibraryLists.genres(in: context) }
    for text in [
      "artist:\"artist 77\"", "nothing like it", "title:\"song 5\" -genre:rock rating:>=4",
      "composer:bach",
    ] {
      let filter = TrackFilter(query: try LibraryQuery(text))
      try time("count of \(text)") { _ = try LibraryLists.trackCount(filter, in: context) }
    }
    try time("statistics") { _ = try LibraryStatistics(in: context) }
    try time("check") {
      let findings = try LibraryCheck().findings(in: context)
      #expect(findings.isEmpty)
    }
  }
}
