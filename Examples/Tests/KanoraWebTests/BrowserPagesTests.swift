import CoreData
import ForumHTML
import Foundation
import HostileMarkup
import KanoraCore
import Testing
import WebPages
import WebTestClient

/// Lists of tracks show and filter the library's contents live.
@Suite("Lists of the music library", .serialized)
struct BrowserPagesTests {
  @Test("a genre filters years, artists, albums and tracks; each column filters the following ones")
  func columns() async throws {
    try await LibraryTrial.run { trial in
      let all = try await trial.page("/")
      #expect(try trial.titles(all, "genres") == ["Electronic", "Jazz", "Rock"])
      #expect(try trial.titles(all, "years") == ["1993", "1969", "1966", "1959"])
      #expect(try trial.titles(all, "tracks").count == 10)
      let rock = try await trial.page("/?genre=Rock")
      #expect(try trial.titles(rock, "years") == ["1969", "1966"])
      #expect(try trial.titles(rock, "artists") == ["The Beatles"])
      #expect(try trial.titles(rock, "albums") == ["Revolver", "Abbey Road"])
      #expect(try trial.titles(rock, "tracks").count == 5)
      let year = try #require(try rock.select("#years a").last?["href"])
      let of1966 = try await trial.page(year)
      #expect(try trial.titles(of1966, "albums") == ["Revolver"])
      #expect(try of1966.select("#years [aria-current]").map(\.text) == ["19662"])
      let artist = try #require(try rock.select("#artists a").first?["href"])
      let beatles = try await trial.page(artist)
      #expect(try trial.titles(beatles, "albums") == ["Revolver", "Abbey Road"])
      let album = try #require(try beatles.select("#albums a").first?["href"])
      #expect(
        try trial.titles(try await trial.page(album), "tracks") == ["Taxman", "Eleanor Rigby"])
    }
  }

  @Test("a search finds tracks, and a query error is next to the field with the typed text")
  func search() async throws {
    try await LibraryTrial.run { trial in
      let found = try await trial.page("/search?q=artist:bjork")
      #expect(try trial.titles(found, "tracks") == ["Human Behaviour", "Venus as a Boy"])
      let wrong = try await trial.page("/search?q=rock%20%22open", status: 400)
      let field = try #require(try wrong.first("#q"))
      #expect(field["value"] == "rock \"open" && field["aria-invalid"] == "true")
      let problem = try #require(try wrong.first("#\(field["aria-describedby"] ?? "")"))
      #expect(problem.text.contains("(at character 6)") && problem["role"] == "alert")
    }
  }

  @Test(
    "there are lists of loved, rated and played tracks",
    arguments: [
      ("/?only=loved", ["So What"]), ("/?only=rating:5", ["All Blues"]),
      ("/?only=rating:%3E%3D4&sort=title", ["All Blues", "Blue in Green"]),
      ("/?only=unrated&genre=Rock", ["Come Together"]),
      ("/most-played", ["All Blues", "Blue in Green", "Venus as a Boy", "Eleanor Rigby"]),
      ("/most-played?q=%20", ["All Blues", "Blue in Green", "Venus as a Boy", "Eleanor Rigby"]),
      ("/played", ["All Blues", "Blue in Green", "Venus as a Boy", "Eleanor Rigby"]),
      ("/added?only=genre:jazz", ["So What", "Blue in Green", "All Blues"]),
      ("/?sort=title&order=descending&only=genre:jazz", ["So What", "Blue in Green", "All Blues"]),
    ])
  func offered(_ path: String, _ titles: [String]) async throws {
    try await LibraryTrial.run { trial in
      try await LibraryDesk(trial.store).love([try trial.track("So What").id], true)
      let shown = try trial.titles(try await trial.page(path), "tracks")
      #expect(path.hasPrefix("/added") ? Set(shown) == Set(titles) : shown == titles)
    }
  }

  @Test("the last added tracks are first")
  func added() async throws {
    try await LibraryTrial.run { trial in
      let titles = try trial.titles(try await trial.page("/added"), "tracks")
      #expect(Set(titles.prefix(3)) == ["So What", "Blue in Green", "All Blues"])
      #expect(titles.count == 10)
    }
  }

  @Test("a page contains one window of many tracks, with links to the previous and next windows")
  func windows() async throws {
    try await LibraryTrial.run { trial in
      try trial.change(in: trial.store) { context in
        let album = try context.fetch(NSFetchRequest<Album>(entityName: "Album")).first
        for number in 0..<690 {
          let track = Track(context: context)
          (track.title, track.filePath) = ("Song \(number)", "/music/song-\(number)")
          (track.format, track.album) = ("flac", album)
          track.updateKeys()
        }
      }
      var page = try await trial.page("/?sort=path")
      #expect(try trial.titles(page, "tracks").count == 100)
      #expect(try page.select("[data-more=earlier]").isEmpty)
      var shown: Set<String> = []
      while let link = try page.first("[data-more=auto]") {
        shown.formUnion(try page.select("#tracks > li").compactMap { $0["id"] })
        page = try await trial.page(try #require(link["href"]))
        #expect(try trial.titles(page, "tracks").count <= 500)
      }
      shown.formUnion(try page.select("#tracks > li").compactMap { $0["id"] })
      #expect(shown.count == 700)
      while let link = try page.first("[data-more=earlier]") {
        let before = try page.select("#tracks > li").first?["id"]
        page = try await trial.page(try #require(link["href"]))
        #expect(try page.select("#tracks > li").compactMap { $0["id"] }.contains(before ?? ""))
      }
      #expect(try trial.titles(page, "tracks").count == 500)
      #expect(try trial.titles(try await trial.page("/?page=99"), "tracks").isEmpty)
    }
  }

  @Test("a column has the first hundred artists and albums, and links to pages with all of them")
  func longColumns() async throws {
    try await LibraryTrial.run { trial in
      try trial.change(in: trial.store) { context in
        for number in 100..<250 {
          let artist = Artist(context: context)
          artist.rename(to: "Artist \(number)")
          let album = Album(context: context)
          album.retitle(to: "Album \(number)")
          let track = Track(context: context)
          (album.artist, track.album, track.genre) = (artist, album, "Long")
          (track.title, track.filePath) = ("Song \(number)", "/music/\(number)")
          track.format = "flac"
          track.updateKeys()
        }
      }
      let page = try await trial.page("/?genre=Long")
      for (list, title) in [("artists", "Artist"), ("albums", "Album")] {
        #expect(try trial.titles(page, list) == (100..<200).map { "\(title) \($0)" })
        let links = try page.select(".columns p a").filter { $0.text == "List all \(list)" }
        let link = try #require(links.first?["href"])
        let first = try await trial.page(link)
        #expect(try trial.titles(first, list).count == 100)
        let more = try #require(try first.first("[data-more=auto]")?["href"])
        #expect(try trial.titles(try await trial.page(more), list).last == "\(title) 249")
      }
      #expect(try page.select(".columns p a").count == 2)
    }
  }

  @Test("a long search has a short address for its events")
  func longSearch() async throws {
    try await LibraryTrial.run { trial in
      let words = String(repeating: "שיר ", count: 150)
      let page = try await trial.page("/?q=\(PagePath.part(words))")
      let events = try #require(page.body["data-events"])
      #expect(events.utf8.count < 1_000)
      let stream = try WebTestStream(trial.port, events, trial.cookie)
      _ = try await trial.post("/playlists", [("name", "Later")])
      #expect(await stream.text(until: "Undo New Playlist").contains("Undo New Playlist"))
    }
  }

  @Test("a track that is saved through another store of the same file appears in the open page")
  func live() async throws {
    try await LibraryTrial.run { trial in
      let page = try await trial.page("/")
      let path = try #require(page.body["data-events"])
      let events = try WebTestStream(trial.port, path, trial.cookie)
      let other = try trial.openElsewhere()
      try trial.change(in: other) { context in
        let request = NSFetchRequest<Album>(entityName: "Album")
        let track = Track(context: context)
        (track.title, track.filePath) = ("Arrived Later", "/music/later.flac")
        (track.format, track.album) = ("flac", try context.fetch(request).first)
        track.updateKeys()
      }
      #expect(try page.first("#count")?.text == "10 tracks")
      var told = await events.text(until: "Arrived Later")
      if !told.contains("11 tracks") { told += await events.text(until: "11 tracks") }
      #expect(told.contains("11 tracks") && told.contains("Arrived Later"))
    }
  }

  @Test("hostile tags stay text")
  func hostile() async throws {
    try await LibraryTrial.run { trial in
      let vectors = HostileMarkup.vectors.prefix(60)
      try trial.change(in: trial.store) { context in
        let album = try context.fetch(NSFetchRequest<Album>(entityName: "Album")).first
        for (index, vector) in vectors.enumerated() {
          let track = Track(context: context)
          (track.title, track.genre, track.artistName) = (vector, vector, vector)
          (track.filePath, track.format, track.album) = ("/x/\(index)", "flac", album)
          track.updateKeys()
        }
      }
      let page = try await trial.page("/")
      #expect(try page.select("#tracks > li").count == 10 + vectors.count)
      let ids = try page.select("#tracks > li").compactMap { $0["id"] }
      let edit = try await trial.post("/selection", ids.map { ($0, "on") } + [("do", "edit")])
      #expect(edit.status == 200)
      let preview = try await trial.post(
        "/edit", ids.map { ($0, "on") } + [("composer", vectors[0]), ("do", "preview")])
      for page in [
        page, try HTMLParser.parse(edit.text), try HTMLParser.parse(preview.text),
        try await trial.page("/duplicates"),
        try await trial.page("/tracks/\(ids.last?.dropFirst(6) ?? "")"),
      ] {
        #expect(try page.select("script").map { $0["src"] ?? "" } == ["/live.js", "/player.js"])
        for element in page.root.descendants {
          #expect(!["iframe", "object", "embed", "svg", "base"].contains(element.name))
          #expect(!element.attributes.contains { $0.name.hasPrefix("on") || $0.name == "style" })
        }
      }
    }
  }

  @Test(
    "an unknown page, album, track or playlist is a page with status 404",
    arguments: [
      "/nothing", "/albums/17", "/albums/\(UUID().uuidString)", "/tracks/\(UUID().uuidString)",
      "/tracks/x", "/playlists/\(UUID().uuidString)", "/playlists/x",
      "/playlists/\(UUID().uuidString)/rules", "/edit", "/edit?track-\(UUID().uuidString)=on",
      "/art/\(UUID().uuidString)",
    ])
  func unknown(_ path: String) async throws {
    try await LibraryTrial.run { trial in
      let page = try await trial.page(path, status: 404)
      #expect(try page.select("h1").count == 1)
      #expect(try page.select("a[href='/']").count > 1)
    }
  }
}
