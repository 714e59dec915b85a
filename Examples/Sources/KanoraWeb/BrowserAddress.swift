import Foundation
import KanoraCore
import WebPages

/// What the address of a list of tracks says: which tracks, from which page, and how many pages in one.
///
/// A value.
struct BrowserAddress: Sendable, Hashable {
  /// The tracks of one page.
  static let tracksPerPage = 100
  private static let greatestSpan = 25

  /// The path without parameters.
  let path: String
  var page = 1
  var span = 1
  var genre: String?
  var artistID: UUID?
  var albumID: UUID?
  /// What the user typed into the search field.
  var words = ""

  /// What a request says.
  init(_ path: String, _ request: WebRequest) {
    self.path = path
    page = request.pageNumber
    span = request.query["span"].flatMap { Int($0) }.map { min(max(1, $0), Self.greatestSpan) } ?? 1
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

  var window: Range<Int> {
    let first = (page - 1) * Self.tracksPerPage
    return first..<(first + span * Self.tracksPerPage)
  }

  /// The parameters that choose tracks, each with a leading `&`.
  private var choice: String {
    (genre.map { "&genre=\(PagePath.part($0))" } ?? "")
      + (artistID.map { "&artist=\($0.uuidString)" } ?? "")
      + (albumID.map { "&album=\($0.uuidString)" } ?? "")
      + (words.isEmpty ? "" : "&q=\(PagePath.part(words))")
  }

  /// The address.
  var text: String { "\(path)?page=\(page)\(span > 1 ? "&span=\(span)" : "")\(choice)" }

  /// What tells lists apart that have different rows.
  var key: String { PagePath.part(text) }

  /// The address of the first page with another choice.
  func choosing(_ change: (inout BrowserAddress) -> Void) -> String {
    var copy = self
    (copy.page, copy.span) = (1, 1)
    change(&copy)
    return copy.text
  }

  /// The links below the list: to more rows in the same page, and to other pages.
  @MarkupBuilder
  func links(count: Int) -> Markup {
    let rest = count - window.upperBound
    if rest > 0, span < Self.greatestSpan {
      element(.p) {
        element(.a, .href(longer.text), Attribute("data-more", span > 1 ? "auto" : "")) {
          "Show \(min(rest, Self.tracksPerPage)) more"
        }
      }
    }
    PageLinks.markup(
      path: path, page: page,
      count: max(page, (count + Self.tracksPerPage - 1) / Self.tracksPerPage), parameters: choice)
  }

  private var longer: BrowserAddress {
    var copy = self
    copy.span += 1
    return copy
  }
}
