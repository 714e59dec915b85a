import Foundation
import KanoraCore
import WebPages

/// The parameters of a track list's address: which tracks it lists, in which order, and which part of the list.
///
/// A value.
struct BrowserAddress: Sendable, Hashable {
  /// A list with an address.
  enum Place: Sendable, Hashable {
    case music, search, added, played, mostPlayed
    case album(UUID)

    /// The path without parameters.
    var path: String {
      switch self {
      case .music: "/"
      case .search: "/search"
      case .added: "/added"
      case .played: "/played"
      case .mostPlayed: "/most-played"
      case .album(let id): "/albums/\(id.uuidString)"
      }
    }

    /// The default order.
    var order: (order: TrackOrder, isDescending: Bool) {
      switch self {
      case .music, .search, .album: (.album, false)
      case .added: (.added, true)
      case .played: (.played, true)
      case .mostPlayed: (.plays, true)
      }
    }

    /// The condition that all tracks of the list meet.
    fileprivate var condition: LibraryQuery.Node? {
      switch self {
      case .played, .mostPlayed: .not(.flag(.unplayed))
      case .music, .search, .added, .album: nil
      }
    }
  }

  /// The number of tracks per page.
  private static let tracksPerPage = 100
  /// The maximum number of pages in the document while the reader scrolls.
  private static let mostPages = 5

  let place: Place
  var span: ListSpan
  var genre: String?
  var year: Int?
  var artistID: UUID?
  var albumID: UUID?
  /// The text typed into the search field.
  var words = ""
  /// The offered query that the user selected.
  var only = ""
  var order: TrackOrder
  var isDescending: Bool

  /// Reads the address of a request.
  init(_ place: Place, _ request: WebRequest) {
    self.place = place
    span = ListSpan(pageSize: Self.tracksPerPage, longest: Self.mostPages, request)
    let query = request.query
    genre = query["genre"].flatMap { $0.isEmpty ? nil : $0 }
    year = query["year"].flatMap { Int32($0) }.map(Int.init)
    artistID = query["artist"].flatMap { UUID(uuidString: $0) }
    albumID = query["album"].flatMap { UUID(uuidString: $0) }
    words = query["q"] ?? ""
    only = query["only"] ?? ""
    order = query["sort"].flatMap { TrackOrder(rawValue: $0) } ?? place.order.order
    isDescending = query["order"].map { $0 == "descending" } ?? place.order.isDescending
  }

  /// Returns the filter of the list.
  ///
  /// - Throws: `LibraryQueryError`.
  func filter() throws -> TrackFilter {
    var nodes = [place.condition].compactMap { $0 }
    for text in [only, words] { nodes.append(try LibraryQuery(text).root) }
    nodes.removeAll { $0 == .all([]) }
    var filter = TrackFilter(
      genre: genre, year: year, artistID: artistID, albumID: albumID,
      query: try nodes.isEmpty ? nil : LibraryQuery(nodes.count == 1 ? nodes[0] : .all(nodes)))
    if case .album(let id) = place { filter.albumID = id }
    return filter
  }

  /// The parameters that select and sort tracks.
  var parameters: [(name: String, value: String)] {
    var parameters: [(String, String)] = []
    if let genre { parameters.append(("genre", genre)) }
    if let year { parameters.append(("year", "\(year)")) }
    if let artistID { parameters.append(("artist", artistID.uuidString)) }
    if let albumID { parameters.append(("album", albumID.uuidString)) }
    if !only.isEmpty { parameters.append(("only", only)) }
    if !words.isEmpty { parameters.append(("q", words)) }
    if (order, isDescending) != place.order {
      parameters.append(("sort", order.rawValue))
      parameters.append(("order", isDescending ? "descending" : "ascending"))
    }
    return parameters
  }

  private var choice: String {
    parameters.map { "&\($0.name)=\(PagePath.part($0.value))" }.joined()
  }

  /// The address.
  var text: String { span.address(place.path, choice) }

  /// Returns the address of the first page with a different choice.
  func choosing(_ change: (inout BrowserAddress) -> Void) -> String {
    var copy = self
    copy.span = ListSpan(pageSize: Self.tracksPerPage, longest: Self.mostPages)
    change(&copy)
    return copy.text
  }

  /// Returns the links above the list.
  func linksAbove(count: Int) -> Markup {
    span.linksAbove(place.path, choice, rowCount: count)
  }

  /// Returns the link below the list.
  func linkBelow(count: Int) -> Markup {
    span.linkBelow(place.path, choice, rowCount: count)
  }
}
