import Foundation
import KanoraCore
import WebPages

/// What the address of a list of tracks says: which tracks, and which part of the list.
///
/// A value.
struct BrowserAddress: Sendable, Hashable {
  /// The tracks of one page.
  private static let tracksPerPage = 100

  /// The path without parameters.
  let path: String
  var span: ListSpan
  var genre: String?
  var artistID: UUID?
  var albumID: UUID?
  /// What the user typed into the search field.
  var words = ""

  /// What a request says.
  init(_ path: String, _ request: WebRequest) {
    self.path = path
    span = ListSpan(pageSize: Self.tracksPerPage, request)
    genre = request.query["genre"].flatMap { $0.isEmpty ? nil : $0 }
    artistID = request.query["artist"].flatMap { UUID(uuidString: $0) }
    albumID = request.query["album"].flatMap { UUID(uuidString: $0) }
    words = request.query["q"] ?? ""
  }

  /// Which tracks.
  ///
  /// - Throws: `LibraryQueryError`.
  func filter() throws -> TrackFilter {
    TrackFilter(
      genre: genre, artistID: artistID, albumID: albumID,
      query: words.isEmpty ? nil : try LibraryQuery(words))
  }

  /// The parameters that choose tracks, each with a leading `&`.
  private var choice: String {
    (genre.map { "&genre=\(PagePath.part($0))" } ?? "")
      + (artistID.map { "&artist=\($0.uuidString)" } ?? "")
      + (albumID.map { "&album=\($0.uuidString)" } ?? "")
      + (words.isEmpty ? "" : "&q=\(PagePath.part(words))")
  }

  /// The address.
  var text: String { span.address(path, choice) }

  /// What tells lists apart that have different rows.
  var key: String { PagePath.part(text) }

  /// The address of the first page with another choice.
  func choosing(_ change: (inout BrowserAddress) -> Void) -> String {
    var copy = self
    copy.span = ListSpan(pageSize: Self.tracksPerPage)
    change(&copy)
    return copy.text
  }

  /// The links below the list.
  func links(count: Int) -> Markup { span.links(path, choice, rowCount: count) }
}
