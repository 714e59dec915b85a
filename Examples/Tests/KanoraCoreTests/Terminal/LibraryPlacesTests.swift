import CoreData
import Foundation
import KanoraCore
import KanoraTerminal
import OpenPersistenceKit
import StoreSharing
import TerminalTrial
import TerminalView
import Testing

/// The library in a terminal: lists that filter each other, search, order, playlists, and keys that change tracks.
@Suite("Browsing the library in a terminal")
struct LibraryPlacesTests {
  private let temporary: TemporaryLibrary

  init() throws {
    temporary = try TemporaryLibrary()
    try temporary.store.performBatchOperation { _ = try SampleLibrary.fill($0) }
  }

  private func begin() async throws -> TerminalTrial<LibraryPlaces> {
    var trial = TerminalTrial(LibraryPlaces(temporary.store))
    try await trial.handleNext()
    return trial
  }

  private func texts(_ trial: TerminalTrial<LibraryPlaces>) -> [String] {
    [trial.browser.list.title] + trial.browser.list.rows.map { "\($0.text) | \($0.detail)" }
  }

  private func row(_ title: String) throws -> TrackRow {
    let rows = try temporary.store.performBatchOperation {
      try LibraryLists.tracks(window: 0..<100, in: $0)
    }
    return try #require(rows.first { $0.title == title })
  }

  @Test("Enter leads from artists to albums, tracks and what is known of one; u leads back")
  func columns() async throws {
    var trial = try await begin()
    #expect(
      texts(trial) == [
        "Artists", "The Beatles | 2 albums · 5 tracks", "Björk | 1 album · 2 tracks",
        "Miles Davis | 1 album · 3 tracks",
      ])
    try trial.press("\r")
    try await trial.handleNext()
    #expect(
      texts(trial) == [
        "Albums: The Beatles", "Revolver | 1966 · 2 tracks · 6:20",
        "Abbey Road | 1969 · 3 tracks · 10:00",
      ])
    try trial.press("\r")
    try await trial.handleNext()
    #expect(
      texts(trial) == [
        "Tracks: The Beatles · Revolver by album",
        "Taxman · The Beatles | 1★ 3:00",
        "Eleanor Rigby · The Beatles | 2★ 3:20",
      ])
    try trial.press("j\r")
    try await trial.handleNext()
    #expect(texts(trial).contains("Genre: Rock | "))
    #expect(texts(trial).contains { $0.hasPrefix("Played: 1 time, last on ") })
    try trial.press("uuuu")
    #expect(texts(trial).first == "Artists")
    try trial.press("?")
    #expect(trial.browser.list.status.hasPrefix("s S sort"))
  }

  @Test("genres lead to their artists, and keys show albums and tracks of what is open")
  func genres() async throws {
    var trial = try await begin()
    try trial.press("g")
    try await trial.handleNext()
    #expect(
      texts(trial) == ["Genres", "Electronic | 2 tracks", "Jazz | 3 tracks", "Rock | 5 tracks"])
    try trial.press("j\r")
    try await trial.handleNext()
    #expect(texts(trial) == ["Artists: Jazz", "Miles Davis | 1 album · 3 tracks"])
    try trial.press("t")
    try await trial.handleNext()
    #expect(trial.shown.count == 4 && trial.shown[0] == "Tracks: Jazz by album")
    try trial.press("a")
    try await trial.handleNext()
    #expect(
      texts(trial) == ["Albums: Jazz", "Kind of Blue · Miles Davis | 1959 · 3 tracks · 10:00"])
  }

  @Test("a query is asked for; a wrong one is explained below the list")
  func search() async throws {
    var trial = try await begin()
    try trial.press("/bjork\r")
    try await trial.handleNext()
    #expect(trial.shown.count == 3 && trial.shown[0] == "Tracks: bjork by album")
    try trial.press("/year:soon\r")
    try await trial.handleNext()
    #expect(trial.shown[0] == "Tracks: bjork by album")
    #expect(trial.browser.list.status.contains("year"))
    try trial.press("/\r")
    #expect(trial.shown[0] == "Tracks: bjork by album")
  }

  @Test("s and S change the order of tracks in place")
  func order() async throws {
    var trial = try await begin()
    try trial.press("t")
    try await trial.handleNext()
    try trial.press("s")
    try await trial.handleNext()
    #expect(trial.shown[0] == "Tracks by title")
    #expect(texts(trial)[1].hasPrefix("All Blues"))
    try trial.press("S")
    try await trial.handleNext()
    #expect(trial.shown[0] == "Tracks by title, descending")
    #expect(texts(trial)[1].hasPrefix("Venus as a Boy"))
    try trial.press("u")
    #expect(trial.shown[0] == "Artists")
  }

  @Test(
    "playlists show their tracks; one that is deleted elsewhere is empty", .timeLimit(.minutes(30)))
  func playlists() async throws {
    var trial = try await begin()
    try trial.press("l")
    try await trial.handleNext()
    #expect(texts(trial) == ["Playlists", "Evening | 4 tracks"])
    try trial.press("\r")
    try await trial.handleNext()
    #expect(trial.shown.count == 5 && trial.shown[0] == "Playlist: Evening")
    let other = try KanoraStore.openExisting(temporary.file)
    try other.performBatchOperation { context in
      for playlist in try context.fetch(NSFetchRequest<Playlist>(entityName: "Playlist")) {
        context.delete(playlist)
      }
    }
    try await trial.handle { $0.rows.isEmpty }
    #expect(trial.shown == ["Playlist: Evening"])
  }

  @Test(
    "objects that another program adds appear, and the selected row stays selected",
    .timeLimit(.minutes(30)))
  func live() async throws {
    var trial = try await begin()
    try trial.press("j")
    let other = try KanoraStore.openExisting(temporary.file)
    try other.performBatchOperation { context in
      let album = Album(context: context)
      let artist = Artist(context: context)
      artist.rename(to: "Aardvark 日本語")
      album.retitle(to: "New")
      album.artist = artist
      let track = Track(context: context)
      (track.title, track.album) = ("First", album)
      (track.filePath, track.format) = ("/music/first.mp3", "mp3")
    }
    try await trial.handle { $0.rows.count == 4 }
    #expect(trial.browser.list.rows[0].text == "Aardvark 日本語")
    #expect(trial.browser.list.selectedRow?.text == "Björk")
  }

  @Test("v loves a track and 0 to 5 rate it, also in a playlist", .timeLimit(.minutes(30)))
  func actions() async throws {
    var trial = try await begin()
    try trial.press("t")
    try await trial.handleNext()
    let title = try #require(
      trial.browser.list.selectedRow?.text.components(separatedBy: " · ").first)
    try trial.press("v")
    try await trial.handle { $0.status == "Loved." }
    try trial.press("5")
    try await trial.handle { $0.status == "Rated 5." }
    #expect(try row(title).isLoved && row(title).rating == 5)
    try await trial.handle { $0.rows[0].detail.hasPrefix("♥ 5★") }
    try trial.press("v")
    try await trial.handle { $0.status == "No longer loved." }
    try trial.press("0")
    try await trial.handle { $0.status == "Not rated." }
    #expect(try !row(title).isLoved && row(title).rating == 0)
  }

  @Test("z undoes the last action, and Z repeats it", .timeLimit(.minutes(30)))
  func undo() async throws {
    var trial = try await begin()
    try trial.press("/taxman\r")
    try await trial.handleNext()
    try trial.press("v")
    try await trial.handle { $0.status == "Loved." }
    try trial.press("z")
    try await trial.handle { $0.status == "Undone: Love Track" }
    #expect(try !row("Taxman").isLoved)
    try trial.press("Z")
    try await trial.handle { $0.status == "Redone: Love Track" }
    #expect(try row("Taxman").isLoved)
    try trial.press("z")
    try await trial.handle { $0.status == "Undone: Love Track" }
    try trial.press("z")
    try await trial.handle { $0.status.hasPrefix("There is nothing to undo.") }
  }

  @Test("pages of tracks are turned up to one behind the last")
  func pages() async throws {
    try temporary.fill(artists: 5, albums: 5, tracks: 10)
    var trial = try await begin()
    try trial.press("t")
    try await trial.handleNext()
    #expect(trial.browser.list.rows.count == LibraryPlaces.pageSize)
    try trial.press("n")
    try await trial.handleNext()
    #expect(trial.shown[0] == "Tracks by album, page 2" && trial.shown.count == 61)
    try trial.press("p")
    try await trial.handleNext()
    #expect(trial.shown[0] == "Tracks by album")
  }
}
