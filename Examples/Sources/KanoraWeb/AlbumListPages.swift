import Foundation
import KanoraCore
import StoreSharing
import WebPages

/// The pages that list all artists and all albums, or those that match the choices in the preceding columns.
struct AlbumListPages: Sendable {
  let parts: PageParts

  private static let rowsPerPage = 100
  private static let mostPages = 5

  /// Answers a request for one of these pages, and returns nil for any other request.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    guard request.method == .get, let path = request.path.first, request.path.count == 1 else {
      return nil
    }
    let filter = TrackFilter(
      genre: request.query["genre"].flatMap { $0.isEmpty ? nil : $0 },
      year: request.query["year"].flatMap { Int32($0) }.map(Int.init),
      artistID: request.query["artist"].flatMap { UUID(uuidString: $0) })
    let span = ListSpan(pageSize: Self.rowsPerPage, longest: Self.mostPages, request)
    let choice = Self.parameters(filter)
    switch path {
    case "artists":
      let address = span.address("/artists", choice)
      let shown = try await parts.show(
        parts.feed.artists(filter, window: span.window), "artists", key: address
      ) { $0.map { Self.row($0) } }
      let count = try await parts.feed.store.read { try LibraryLists.artistCount(filter, in: $0) }
      return try await page("Artists", "/artists", choice, span, shown, count)
    case "albums":
      let address = span.address("/albums", choice)
      let shown = try await parts.show(
        parts.feed.albums(filter, window: span.window), "albums", key: address
      ) { $0.map { Self.row($0) } }
      let count = try await parts.feed.store.read { try LibraryLists.albumCount(filter, in: $0) }
      return try await page("Albums", "/albums", choice, span, shown, count)
    default: return nil
    }
  }

  /// Returns the address of one of these pages.
  static func address(_ path: String, _ filter: TrackFilter) -> String {
    ListSpan(pageSize: rowsPerPage).address(path, parameters(filter))
  }

  private static func parameters(_ filter: TrackFilter) -> String {
    (filter.genre.map { "&genre=\(PagePath.part($0))" } ?? "")
      + (filter.year.map { "&year=\($0)" } ?? "")
      + (filter.artistID.map { "&artist=\($0.uuidString)" } ?? "")
  }

  private func page(
    _ title: String, _ path: String, _ choice: String, _ span: ListSpan, _ shown: ShownList,
    _ count: Int
  ) async throws -> WebAnswer {
    try await parts.page(title, back: span.address(path, choice), [shown]) {
      Markup.up("/", "Music")
      element(.p, .class("muted")) { "\(count) \(title.lowercased())" }
      span.linksAbove(path, choice, rowCount: count)
      shown.markup(empty: "Nothing here.")
      span.linkBelow(path, choice, rowCount: count)
    }
  }

  private static func row(_ artist: ArtistRow) -> LiveRow {
    row(
      "artist-\(artist.id.uuidString)", artist.name, artist.trackCount,
      to: "/?artist=\(artist.id.uuidString)", Wording.count(artist.albumCount, "album"))
  }

  private static func row(_ album: AlbumRow) -> LiveRow {
    row(
      "album-\(album.id.uuidString)", album.title, album.trackCount,
      to: "/albums/\(album.id.uuidString)",
      Wording.list(
        [album.artist ?? "Unknown artist"] + (album.year.map { ["\($0)"] } ?? [])))
  }

  private static func row(
    _ id: String, _ title: String, _ count: Int, to address: String, _ meta: String
  ) -> LiveRow {
    let markup = element(.li, .id(id)) {
      element(.a, .class("row"), .href(address)) {
        element(.span, .class("title"), Attribute("dir", "auto")) { title }
        element(.span, .class("count none")) { Wording.count(count, "track") }
        element(.span, .class("meta")) { meta }
      }
    }
    return LiveRow(id: id, markup: markup)
  }
}
