import AudioFiles
import CoreData
import Foundation
public import KanoraCore
import StoreSharing
public import WebPages

/// The pages of a music library: everything that its store holds, live.
///
/// A value over shared state; usable anywhere.
public struct LibraryPages: WebPageSource {
  private let store: KanoraStore
  private let feed: LibraryFeed
  private let lists: LiveLists
  private let desk: LibraryDesk
  private let editing: EditPages

  private static let frame = PageFrame(
    name: "Kanora",
    links: [
      .init("Music", to: "/"), .init("Search", to: "/search"), .init("Check", to: "/check"),
      .init("Statistics", to: "/stats"),
    ])

  /// Makes the pages of a library.
  ///
  /// - Parameters:
  ///   - store: The library.
  ///   - lists: The lists that its pages show.
  public init(of store: KanoraStore, lists: LiveLists) {
    self.store = store
    self.lists = lists
    feed = LibraryFeed(StoreFeed(store))
    desk = LibraryDesk(store)
    editing = EditPages(desk: desk, feed: feed)
  }

  /// Answers a request.
  ///
  /// - Throws: What reading the store throws.
  public func answer(to request: WebRequest) async throws -> WebAnswer {
    let path = request.path
    switch (request.method, path.first, path.count) {
    case (.get, nil, _): return try await browser(BrowserAddress("/", request))
    case (.get, "search", 1): return try await search(BrowserAddress("/search", request))
    case (.get, "albums", 2): return try await album(path[1], request)
    case (.get, "art", 2): return try picture(path[1])
    case (.get, "audio", 2): return try await audio(path[1])
    case (.get, "check", 1): return try await check()
    case (.get, "stats", 1): return try await statistics()
    case (.get, "events", 1): return .events(request)
    case (.get, "site.css", 1): return try .file("kanora.css", in: .module)
    case (.get, "player.js", 1):
      return try .file("player.js", in: .module)
    case (.post, "tracks", 3) where path[2] == "played": return try await played(path[1])
    case (.post, "undo", 1):
      try await desk.undo()
      return .redirect(request.form["back"] ?? "/")
    case (.post, "redo", 1):
      try await desk.redo()
      return .redirect(request.form["back"] ?? "/")
    case (.post, "repair", 1):
      try await desk.repair(
        Set(LibraryFinding.Kind.allCases.filter { request.form["kind"] == $0.rawValue }))
      return .redirect("/check")
    default: return try await editing.answer(to: request) ?? Self.missing("page")
    }
  }

  /// The page for something that went wrong.
  public func page(title: String, reason: String) -> Markup {
    Self.problem(title: title, reason: reason)
  }

  // MARK: Lists of tracks

  private func browser(_ address: BrowserAddress) async throws -> WebAnswer {
    let filter = try address.filter()
    let genres = try await show(feed.genres(), "genres", address) { rows in
      rows.compactMap { row in
        row.value.map { genre in
          TrackRows.choice(
            "genre-\(PagePath.part(genre))", genre, row.trackCount,
            to: address.choosing { ($0.genre, $0.artistID, $0.albumID) = (genre, nil, nil) },
            isChosen: address.genre == genre)
        }
      }
    }
    let artists = try await show(
      feed.artists(TrackFilter(genre: filter.genre)), "artists", address
    ) { rows in
      rows.map { row in
        TrackRows.choice(
          "artist-\(row.id.uuidString)", row.name, row.trackCount,
          to: address.choosing { ($0.artistID, $0.albumID) = (row.id, nil) },
          isChosen: address.artistID == row.id)
      }
    }
    let albums = try await show(
      feed.albums(TrackFilter(genre: filter.genre, artistID: filter.artistID)), "albums", address
    ) { rows in
      rows.map { row in
        TrackRows.choice(
          "album-\(row.id.uuidString)", row.title, row.trackCount,
          to: address.choosing { $0.albumID = row.id }, isChosen: address.albumID == row.id)
      }
    }
    return try await tracks("Music", address, filter, columns: [genres, artists, albums]) {
      element(.div, .class("columns")) {
        Self.column(
          "Genres", genres,
          all: address.choosing { ($0.genre, $0.artistID, $0.albumID) = (nil, nil, nil) })
        Self.column(
          "Artists", artists, all: address.choosing { ($0.artistID, $0.albumID) = (nil, nil) })
        Self.column("Albums", albums, all: address.choosing { $0.albumID = nil })
      }
      if let albumID = address.albumID {
        element(.p) { element(.a, .href("/albums/\(albumID.uuidString)")) { "Album with cover" } }
      }
    }
  }

  private static func column(_ title: String, _ list: ShownList, all: String) -> Markup {
    element(.section, .label(title)) {
      element(.h2) { element(.a, .href(all)) { "All \(title.lowercased())" } }
      list.markup(empty: "Nothing here.")
    }
  }

  private func search(_ address: BrowserAddress) async throws -> WebAnswer {
    do {
      return try await tracks("Search", address, try address.filter(), columns: []) {
        Self.searchForm(address.words)
      }
    } catch let error as LibraryQueryError {
      return .page(
        Self.frame.page("Search", path: "/search") {
          Markup.notice("\(error)")
          Self.searchForm(address.words)
        }, status: 400)
    }
  }

  private static func searchForm(_ words: String) -> Markup {
    element(.form, .class("search"), Attribute("method", "get"), Attribute("action", "/search")) {
      Markup.field("q", "Search for", value: words)
      element(.button) { "Search" }
    }
  }

  private func album(_ text: String, _ request: WebRequest) async throws -> WebAnswer {
    guard let id = UUID(uuidString: text) else { return Self.missing("album") }
    let rows = try await feed.store.read {
      try LibraryLists.albums(TrackFilter(albumID: id), in: $0)
    }
    guard let album = rows.first else { return Self.missing("album") }
    var address = BrowserAddress("/albums/\(id.uuidString)", request)
    address.albumID = id
    return try await tracks(album.title, address, TrackFilter(albumID: id), columns: []) {
      Markup.up("/", "All music")
      element(
        .img, .class("cover"), Attribute("src", "/art/\(id.uuidString)"),
        Attribute("alt", "Cover of \(album.title)"))
      element(.p, .class("muted")) {
        Wording.list(
          [album.artist ?? "Unknown artist"] + (album.year.map { ["\($0)"] } ?? []) + [
            Wording.count(album.trackCount, "track"), TrackRows.time(album.duration),
          ])
      }
    }
  }

  /// A page with a list of tracks, the player, and what can be done with a selection.
  private func tracks(
    _ title: String, _ address: BrowserAddress, _ filter: TrackFilter, columns: [ShownList],
    @MarkupBuilder top: () -> Markup
  ) async throws -> WebAnswer {
    let shown = try await show(feed.tracks(filter, window: address.span.window), "tracks", address)
    {
      $0.map { TrackRows.row($0) }
    }
    let count = try await feed.store.read { try LibraryLists.trackCount(filter, in: $0) }
    let steps = await desk.steps()
    return .page(
      Self.frame.page(title, path: address.path, events: ShownList.events(of: columns + [shown])) {
        top()
        Self.undoForms(steps, back: address.text)
        shown.markup(empty: "No track here. Scan a folder with: kanora scan FOLDER")
        element(.form, .id("selection"), Attribute("method", "get"), Attribute("action", "/edit")) {
          element(.button, .class("quiet")) { "Edit selected tracks" }
        }
        address.links(count: count)
        element(.div, .id("player"), Attribute(flag: "hidden")) {
          element(.audio, Attribute(flag: "controls"), Attribute("preload", "none")) { "" }
        }
        element(.script, Attribute("src", "/player.js"), Attribute(flag: "defer")) { "" }
      })
  }

  @MarkupBuilder
  private static func undoForms(_ steps: LibraryDesk.Steps, back: String) -> Markup {
    element(.div, .class("actions")) {
      if let name = steps.undoName { Markup.button("Undo \(name)", to: "/undo", back: back) }
      if let name = steps.redoName { Markup.button("Redo \(name)", to: "/redo", back: back) }
    }
  }

  private func show<Row: Sendable>(
    _ rows: FollowedRows<Row>, _ name: String, _ address: BrowserAddress,
    _ markup: @escaping @Sendable ([Row]) -> [LiveRow]
  ) async throws -> ShownList {
    try await lists.show("\(name)/\(address.key)") {
      LiveList(name, changes: rows.changes) { markup(try await rows.load()) }
    }
  }

  // MARK: Files

  private func picture(_ text: String) throws -> WebAnswer {
    guard let id = UUID(uuidString: text),
      let picture = try LibraryArtwork(store).picture(ofAlbum: id)
    else { return Self.missing("picture") }
    return .file(picture.data, contentType: picture.mediaType)
  }

  /// The audio of a track; the path comes from the store only.
  private func audio(_ text: String) async throws -> WebAnswer {
    guard let id = UUID(uuidString: text) else { return Self.missing("track") }
    let rows = try await feed.store.read { try LibraryLists.tracks([id], in: $0) }
    guard let track = rows.first else { return Self.missing("track") }
    guard FileManager.default.isReadableFile(atPath: track.filePath) else {
      return .page(
        Self.problem(
          title: "No file",
          reason: "The file of this track is missing. Scan the library when it is back."),
        status: 404)
    }
    return .stream(
      URL(fileURLWithPath: track.filePath),
      contentType: AudioFormat(rawValue: track.format)?.mediaType ?? "application/octet-stream")
  }

  private func played(_ text: String) async throws -> WebAnswer {
    guard let id = UUID(uuidString: text) else { return Self.missing("track") }
    do { try await desk.recordPlay(of: id) } catch let error as KanoraError
      where error.code == .notFound
    { return Self.missing("track") }
    return .redirect("/")
  }

  // MARK: State of the library

  private func check() async throws -> WebAnswer {
    let findings = try await feed.store.read { try LibraryCheck().findings(in: $0) }
    let steps = await desk.steps()
    return .page(
      Self.frame.page("Check", path: "/check") {
        Self.undoForms(steps, back: "/check")
        if findings.isEmpty { element(.p) { "Nothing is wrong." } }
        for kind in LibraryFinding.Kind.allCases where findings.contains(where: { $0.kind == kind })
        {
          element(.section) {
            element(.ul) {
              for finding in findings where finding.kind == kind { element(.li) { "\(finding)" } }
            }
            Markup.form(to: "/repair", back: "/check") {
              Markup.hidden("kind", kind.rawValue)
              element(.button, .class("quiet")) { "Repair: \(kind.repair)" }
            }
          }
        }
      })
  }

  private func statistics() async throws -> WebAnswer {
    let numbers = try await feed.store.read { try LibraryStatistics(in: $0) }
    return .page(
      Self.frame.page("Statistics", path: "/stats") {
        element(.p) {
          Wording.list([
            Wording.count(numbers.trackCount, "track"), Wording.count(numbers.albumCount, "album"),
            Wording.count(numbers.artistCount, "artist"), Wording.count(numbers.playCount, "play"),
            String(format: "%.1f hours", numbers.hours),
            String(format: "%.2f GB", numbers.gigabytes),
          ])
        }
        Self.table("Format", numbers.formats)
        Self.table("Genre", numbers.genres)
        Self.table("Year", numbers.years)
      })
  }

  private static func table(_ name: String, _ parts: [LibraryStatistics.Part]) -> Markup {
    element(.table) {
      element(.thead) {
        element(.tr) {
          for title in [name, "Tracks", "Time"] { element(.th) { title } }
        }
      }
      element(.tbody) {
        for part in parts {
          element(.tr) {
            element(.td) { part.name ?? "none" }
            element(.td) { "\(part.trackCount)" }
            element(.td) { TrackRows.time(part.seconds) }
          }
        }
      }
    }
  }

  // MARK: Parts

  static func page(_ title: String, @MarkupBuilder content: () -> Markup) -> Markup {
    frame.page(title, content: content)
  }

  static func missing(_ what: String) -> WebAnswer {
    .page(
      problem(title: "No such \(what)", reason: "The library has no such \(what)."), status: 404)
  }

  private static func problem(title: String, reason: String) -> Markup {
    frame.problem(title, reason, home: "To the music")
  }
}
