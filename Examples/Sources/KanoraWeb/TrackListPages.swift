import Foundation
import KanoraCore
import StoreSharing
import WebPages

/// The pages that list tracks: the column browser, the search, albums, and recently added or played tracks.
struct TrackListPages: Sendable {
  let parts: PageParts

  /// The queries that lists offer as links.
  private static let offered = [
    ("", "All"), ("loved", "Loved"), ("rating:5", "★★★★★"), ("rating:>=4", "★★★★ and up"),
    ("rating:>=3", "★★★ and up"), ("unrated", "Not rated"), ("unplayed", "Not played"),
    ("missing", "File missing"),
  ]

  private static let orderNames: [TrackOrder: String] = [
    .album: "Album", .title: "Title", .year: "Year", .genre: "Genre", .duration: "Length",
    .rating: "Rating", .plays: "Plays", .played: "Last played", .added: "Date added",
    .path: "File",
  ]

  /// Answers a request for one of these pages, and returns nil for any other request.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    guard request.method == .get else { return nil }
    let path = request.path
    switch (path.first, path.count) {
    case (nil, _): return try await browser(BrowserAddress(.music, request))
    case ("search", 1): return try await list("Search", BrowserAddress(.search, request))
    case ("added", 1): return try await list("Recently added", BrowserAddress(.added, request))
    case ("played", 1): return try await list("Recently played", BrowserAddress(.played, request))
    case ("most-played", 1):
      return try await list("Most played", BrowserAddress(.mostPlayed, request))
    case ("albums", 2): return try await album(path[1], request)
    default: return nil
    }
  }

  /// The sort orders to choose from, with the value sent for each.
  static var orders: [(value: String, text: String)] {
    TrackOrder.allCases.map { ($0.rawValue, orderNames[$0] ?? $0.rawValue) }
  }

  private func browser(_ address: BrowserAddress) async throws -> WebAnswer {
    let columns = try await BrowserColumns(address, parts)
    return try await list("Music", address, columns: columns.lists) {
      columns.markup
      if let albumID = address.albumID {
        element(.p) { element(.a, .href("/albums/\(albumID.uuidString)")) { "Album with cover" } }
      }
    }
  }

  // MARK: Album

  private func album(_ text: String, _ request: WebRequest) async throws -> WebAnswer {
    guard let id = UUID(uuidString: text) else { return PageParts.missing("album") }
    let rows = try await parts.feed.store.read {
      try LibraryLists.albums(TrackFilter(albumID: id), in: $0)
    }
    guard let album = rows.first else { return PageParts.missing("album") }
    let hasCover = try LibraryArtwork(parts.store).picture(ofAlbum: id) != nil
    return try await list(album.title, BrowserAddress(.album(id), request)) {
      Markup.up("/", "All music")
      if hasCover {
        element(
          .img, .class("cover"), Attribute("src", "/art/\(id.uuidString)"),
          Attribute("alt", "Cover of \(album.title)"), Attribute("width", "240"),
          Attribute("height", "240"))
      }
      element(.p, .class("muted")) {
        element(.bdi) { album.artist ?? "Unknown artist" }
        for fact in (album.year.map { ["\($0)"] } ?? [])
          + [Wording.count(album.trackCount, "track"), TrackRows.time(album.duration)]
        { " · \(fact)" }
      }
    }
  }

  // MARK: Lists

  /// Returns a page with a list of tracks and the form for selected tracks.
  private func list(
    _ title: String, _ address: BrowserAddress, columns: [ShownList] = [],
    @MarkupBuilder top: () -> Markup = { Markup("") }
  ) async throws -> WebAnswer {
    let filter: TrackFilter
    do { filter = try address.filter() } catch let error as LibraryQueryError {
      return try await parts.page(
        title, path: address.place.path, back: address.place.path, columns, status: 400
      ) {
        top()
        Self.choiceForm(address, problem: "\(error)")
      }
    }
    async let shownList = parts.show(
      parts.feed.tracks(
        filter, by: address.order, isAscending: !address.isDescending, window: address.span.window),
      "tracks", key: address.text
    ) { $0.map { TrackRows.row($0) } }
    async let countedList = parts.show(
      parts.feed.trackCount(filter), "count", key: address.choosing { _ in }
    ) { $0.map { Self.countRow($0) } }
    let playlists = try await parts.feed.store.read { try LibraryLists.playlists(in: $0) }
    let (shown, counted) = try await (shownList, countedList)
    let count = counted.state.rows.first.flatMap { Int($0.id.dropFirst(6)) } ?? 0
    return try await parts.page(
      title, path: address.place.path, back: address.text, columns + [shown, counted]
    ) {
      top()
      Self.choiceForm(address, problem: nil)
      element(.ul, .id(counted.list), .class("muted")) { counted.rows }
      address.linksAbove(count: count)
      shown.markup(empty: Self.emptiness(address), Attribute(flag: "data-keys"))
      address.linkBelow(count: count)
      Self.forms(back: address.text, playlists: playlists)
    }
  }

  /// Returns a row with the number of tracks; the row's id contains the number for the links to other pages.
  static func countRow(_ count: Int) -> LiveRow {
    let id = "count-\(count)"
    return LiveRow(id: id, markup: element(.li, .id(id)) { Wording.count(count, "track") })
  }

  private static func emptiness(_ address: BrowserAddress) -> String {
    if case .music = address.place, address.parameters.isEmpty {
      return "There is no music yet. To add music, scan a folder: kanora scan FOLDER"
    }
    return "No tracks match."
  }

  /// Returns the forms that follow a list of tracks.
  ///
  /// - Parameters:
  ///   - back: The page's address.
  ///   - playlists: The playlists that tracks can be added to.
  ///   - isLive: Whether the list immediately shows the changes that its rows' forms make.
  @MarkupBuilder
  static func forms(back: String, playlists: [PlaylistRow], isLive: Bool = true) -> Markup {
    SelectionForm.markup(back: back, playlists: playlists)
    TrackRows.marksForm(back: back, isQuiet: isLive)
  }

  /// Returns the search form, the sort order and the offered queries.
  @MarkupBuilder
  private static func choiceForm(_ address: BrowserAddress, problem: String?) -> Markup {
    if case .album = address.place {
      Markup("")
    } else {
      element(
        .form, .class("search"), Attribute("method", "get"),
        Attribute("action", address.place.path),
        Attribute("role", "search")
      ) {
        for (name, value) in address.parameters where !["q", "sort", "order"].contains(name) {
          Markup.hidden(name, value)
        }
        Markup.checkedField("q", "Search", value: address.words, problem: problem)
        element(.span, .class("pair")) {
          Markup.choice("sort", "Order", orders, chosen: address.order.rawValue)
        }
        element(.span, .class("pair")) {
          Markup.choice(
            "order", "Direction", [("ascending", "Ascending"), ("descending", "Descending")],
            chosen: address.isDescending ? "descending" : "ascending")
        }
        element(.button) { "Show" }
      }
      element(.nav, .class("offers"), .label("Filters")) {
        for (query, text) in offered {
          element(
            .a, .href(address.choosing { $0.only = query }),
            query == address.only ? Attribute("aria-current", "true") : nil
          ) { text }
        }
      }
    }
  }
}
