import CoreData
import ForumHTML
import Foundation
import HostileMarkup
import KanoraCore
import KanoraWeb
import OpenPersistenceKit
import StoreSharing
import Testing
import WebPages
import WebTestClient

/// A library in a file, with the sample data, and its pages behind a port.
private final class LibraryTrial {
  let folder: URL
  let store: KanoraStore
  private(set) var port = 0

  static func run(_ body: (LibraryTrial) async throws -> Void) async throws {
    let trial = try LibraryTrial()
    let lists = LiveLists()
    let site = WebSite(LibraryPages(of: trial.store, lists: lists), lists: lists, token: "t")
    trial.port = try #require(URL(string: try await site.start())?.port)
    do { try await body(trial) } catch {
      await site.stop()
      throw error
    }
    await site.stop()
  }

  private init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("LibraryTrial-\(UUID().uuidString)")
    store = try KanoraStore.openOrMake(folder.appendingPathComponent("Kanora.sqlite"))
    try change(in: store) { try SampleLibrary.fill($0) }
  }

  // Nothing to do about a folder that stays.
  deinit { try? FileManager.default.removeItem(at: folder) }

  var cookie: [String: String] { ["Cookie": "site-token-\(port)=t"] }

  /// Opens the store as another program does.
  func openElsewhere() throws -> KanoraStore {
    try KanoraStore.openExisting(folder.appendingPathComponent("Kanora.sqlite"))
  }

  func change(
    in store: KanoraStore, _ work: @escaping @Sendable (NSManagedObjectContext) throws -> Void
  ) throws {
    try store.performBatchOperation { context in
      try work(context)
      try context.save()
    }
  }

  func page(_ path: String, status: Int = 200) async throws -> HTMLDocument {
    let answer = try await send(port, path, "GET", cookie)
    #expect(answer.status == status, "\(path)")
    return try HTMLParser.parse(answer.text)
  }

  func titles(_ page: HTMLDocument, _ list: String) throws -> [String] {
    try page.select("#\(list) .title").map(\.text)
  }

  func post(_ path: String, _ body: String = "") async throws -> WebTestAnswer {
    let origin = ["Origin": "http://127.0.0.1:\(port)"]
    return try await send(port, path, "POST", cookie.merging(origin) { $1 }, body: body)
  }

  func track(_ title: String) throws -> TrackRow {
    let rows = try store.performBatchOperation { try LibraryLists.tracks(window: 0..<100, in: $0) }
    return try #require(rows.first { $0.title == title })
  }

  /// Gives a track a file of the bytes 0 to 9.
  func giveFile(to title: String) throws -> TrackRow {
    let file = folder.appendingPathComponent("audio.flac")
    try Data("0123456789".utf8).write(to: file)
    try change(in: store) { context in
      let request = NSFetchRequest<Track>(entityName: "Track")
      request.predicate = NSPredicate(format: "title == %@", argumentArray: [title])
      try context.fetch(request).first?.filePath = file.path
    }
    return try track(title)
  }
}

/// Pages show what the library holds, live, and edit it.
@Suite("Pages of the music library", .serialized)
struct LibraryPagesTests {
  @Test("a genre filters artists, albums and tracks; an artist filters albums and tracks")
  func columns() async throws {
    try await LibraryTrial.run { trial in
      let all = try await trial.page("/")
      #expect(try trial.titles(all, "genres") == ["Electronic", "Jazz", "Rock"])
      #expect(try trial.titles(all, "tracks").count == 10)
      let rock = try await trial.page("/?genre=Rock")
      #expect(try trial.titles(rock, "artists") == ["The Beatles"])
      #expect(try trial.titles(rock, "albums") == ["Revolver", "Abbey Road"])
      #expect(try trial.titles(rock, "tracks").count == 5)
      let artist = try #require(try rock.select("#artists a").first?["href"])
      let beatles = try await trial.page(artist)
      #expect(try trial.titles(beatles, "albums") == ["Revolver", "Abbey Road"])
      let album = try #require(try beatles.select("#albums a").first?["href"])
      #expect(
        try trial.titles(try await trial.page(album), "tracks") == ["Taxman", "Eleanor Rigby"])
    }
  }

  @Test("a search finds tracks, and an error of a query says where it is")
  func search() async throws {
    try await LibraryTrial.run { trial in
      let found = try await trial.page("/search?q=artist:bjork")
      #expect(try trial.titles(found, "tracks") == ["Human Behaviour", "Venus as a Boy"])
      let wrong = try await trial.page("/search?q=rock%20%22open", status: 400)
      #expect(try wrong.select("[role=alert]").first?.text.contains("(at 6)") == true)
    }
  }

  @Test("a track that another store of the same file saves appears in the open page")
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
      #expect(await events.text(until: "Arrived Later").contains("Arrived Later"))
    }
  }

  @Test(
    "ranges of bytes are answered as asked",
    arguments: [
      (nil, 200, "0123456789", nil), ("bytes=0-3", 206, "0123", "bytes 0-3/10"),
      ("bytes=4-", 206, "456789", "bytes 4-9/10"), ("bytes=-2", 206, "89", "bytes 8-9/10"),
      ("bytes=8-99", 206, "89", "bytes 8-9/10"), ("bytes=-99", 206, "0123456789", "bytes 0-9/10"),
      ("bytes=10-", 416, "", "bytes */10"), ("bytes=-0", 416, "", "bytes */10"),
      ("bytes=99999999999999999999-", 416, "", "bytes */10"),
      ("bytes=0-1,4-5", 200, "0123456789", nil), ("bytes=5-2", 200, "0123456789", nil),
      ("bytes=-", 200, "0123456789", nil), ("bytes=a-b", 200, "0123456789", nil),
      ("lines=0-3", 200, "0123456789", nil),
    ] as [(String?, Int, String, String?)])
  func ranges(_ range: String?, _ status: Int, _ text: String, _ content: String?) async throws {
    try await LibraryTrial.run { trial in
      let track = try trial.giveFile(to: "Taxman")
      let headers = trial.cookie.merging(range.map { ["Range": $0] } ?? [:]) { $1 }
      let answer = try await send(trial.port, "/audio/\(track.id.uuidString)", "GET", headers)
      #expect(answer.status == status)
      #expect(answer.text == text)
      #expect(answer.headers["content-range"] == content)
      #expect(answer.headers["accept-ranges"] == "bytes")
    }
  }

  @Test("only tracks of the store have audio, and a path in the address leads nowhere")
  func paths() async throws {
    try await LibraryTrial.run { trial in
      for path in [
        "/audio/..%2F..%2Fetc%2Fpasswd", "/audio/%2Fetc%2Fpasswd", "/audio/\(UUID().uuidString)",
        "/audio/\(try trial.track("Taxman").id.uuidString)", "/art/..%2Fcover", "/albums/..%2F..",
      ] {
        #expect(try await send(trial.port, path, "GET", trial.cookie).status == 404, "\(path)")
      }
      #expect(try await send(trial.port, "/audio/\(UUID().uuidString)").status == 403)
    }
  }

  @Test("a play is counted for a track, and none for an unknown one")
  func plays() async throws {
    try await LibraryTrial.run { trial in
      let before = try trial.track("So What")
      #expect(try await trial.post("/tracks/\(before.id.uuidString)/played").status == 303)
      #expect(try trial.track("So What").playCount == before.playCount + 1)
      #expect(try await trial.post("/tracks/\(UUID().uuidString)/played").status == 404)
    }
  }

  @Test("an edit of several tracks is shown before it is saved, and can be undone and redone")
  func editing() async throws {
    try await LibraryTrial.run { trial in
      let tracks = try ["So What", "All Blues"].map { try trial.track($0) }
      let fields = tracks.map { "track-\($0.id.uuidString)=on" }.joined(separator: "&")
      let preview = try await trial.post("/edit", "\(fields)&genre=Cool&do=preview")
      let cells = try HTMLParser.parse(preview.text).select("#preview td").map(\.text)
      #expect(cells.count == 8 && cells.filter { $0 == "Cool" }.count == 2)
      #expect(try trial.track("So What").genre == "Jazz")
      #expect(try await trial.post("/edit", "\(fields)&year=never&do=save").status == 400)
      #expect(try await trial.post("/edit", "\(fields)&genre=Cool&do=save").status == 303)
      #expect(try trial.track("So What").genre == "Cool")
      let page = try await trial.page("/")
      #expect(
        try page.select(".actions button").map(\.text).contains { $0.hasPrefix("Undo Edit 2") })
      #expect(try await trial.post("/undo").status == 303)
      #expect(try trial.track("All Blues").genre == "Jazz")
      #expect(try await trial.post("/redo").status == 303)
      #expect(try trial.track("All Blues").genre == "Cool")
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
      #expect(try page.select("script").map { $0["src"] ?? "" } == ["/live.js", "/player.js"])
      #expect(try page.select("#tracks > li").count == 10 + vectors.count)
      for element in page.root.descendants {
        #expect(!["iframe", "object", "embed", "svg", "base"].contains(element.name))
        #expect(!element.attributes.contains { $0.name.hasPrefix("on") || $0.name == "style" })
      }
    }
  }

  @Test("the check lists findings, and a repair takes them away")
  func check() async throws {
    try await LibraryTrial.run { trial in
      try trial.change(in: trial.store) { context in
        let album = Album(context: context)
        album.retitle(to: "Nothing In It")
        album.artist = try context.fetch(NSFetchRequest<Artist>(entityName: "Artist")).first
      }
      let page = try await trial.page("/check")
      #expect(try page.select("li").map(\.text).contains { $0.hasPrefix("Nothing In It") })
      #expect(try await trial.post("/repair", "kind=emptyAlbum").status == 303)
      let after = try await trial.page("/check")
      #expect(try !after.select("li").map(\.text).contains { $0.hasPrefix("Nothing In It") })
      #expect(try await trial.page("/stats").select("table").count == 3)
    }
  }
}
