package import Foundation
package import KanoraCore
import StoreSharing
package import TerminalView

/// The lists of a music library in a terminal.
///
/// A value over shared state; usable from any thread.
package struct LibraryPlaces: TerminalPlaces {
  /// A part of the library: the artists, albums or other rows opened to reach it.
  package struct Part: Hashable, Sendable {
    /// The filter of its tracks.
    package var filter: TrackFilter
    /// The names of the opened rows.
    package var names: [String]

    /// Creates a part; by default, the whole library.
    package init(_ filter: TrackFilter = TrackFilter(), names: [String] = []) {
      (self.filter, self.names) = (filter, names)
    }

    /// Returns a smaller part.
    func narrowed(_ name: String, _ narrow: (inout TrackFilter) -> Void) -> Part {
      var part = self
      narrow(&part.filter)
      part.names.append(name)
      return part
    }
  }

  /// The order of a list of tracks.
  package struct Order: Hashable, Sendable {
    /// The sort order.
    package var key = TrackOrder.album
    /// Whether the order is ascending.
    package var isAscending = true

    /// Creates the order by album.
    package init() {}

    /// The next order in the cycle.
    var next: Order {
      var order = self
      let all = TrackOrder.allCases
      let place = all.firstIndex(of: key).map { ($0 + 1) % all.count } ?? 0
      (order.key, order.isAscending) = (all[place], true)
      return order
    }

    var reversed: Order {
      var order = self
      order.isAscending.toggle()
      return order
    }

    var name: String { isAscending ? key.rawValue : "\(key.rawValue), descending" }
  }

  /// A list in the terminal.
  package enum Place: Hashable, Sendable {
    case genres
    case artists(Part)
    case albums(Part)
    case tracks(Part, Order, page: Int)
    case playlists
    case playlist(UUID, name: String)
    case track(UUID, title: String)
  }

  /// The number of tracks per page.
  package static let pageSize = 200

  private let feed: LibraryFeed
  private let desk: LibraryDesk

  /// Creates the lists of a library.
  package init(_ store: KanoraStore) {
    feed = LibraryFeed(StoreFeed(store))
    desk = LibraryDesk(store)
  }

  package let start = Place.artists(Part())
  package let help =
    "r artists · a albums · t tracks · g genres · l playlists · / search · ? keys"
  package let furtherKeys = "s S sort · v love · 0–5 rate · z Z undo"

  package func title(of place: Place) -> String {
    switch place {
    case .genres: return "Genres"
    case .artists(let part): return Self.title("Artists", part)
    case .albums(let part): return Self.title("Albums", part)
    case .tracks(let part, let order, let page):
      let title = Self.title("Tracks", part) + " by \(order.name)"
      return page == 1 ? title : "\(title), page \(page)"
    case .playlists: return "Playlists"
    case .playlist(_, let name): return "Playlist: \(name)"
    case .track(_, let title): return title
    }
  }

  private static func title(_ list: String, _ part: Part) -> String {
    part.names.isEmpty ? list : "\(list): \(part.names.joined(separator: " · "))"
  }

  package func place(opening row: TerminalRow, in place: Place) -> Place? {
    switch place {
    case .genres:
      LibraryRows.genre(ofRow: row.id).map { genre in
        .artists(Part().narrowed(genre) { $0.genre = genre })
      }
    case .artists(let part):
      UUID(uuidString: row.id).map { id in
        .albums(part.narrowed(row.text) { $0.artistID = id })
      }
    case .albums(let part):
      UUID(uuidString: row.id).map { id in
        .tracks(part.narrowed(row.text) { $0.albumID = id }, Order(), page: 1)
      }
    case .playlists: UUID(uuidString: row.id).map { .playlist($0, name: row.text) }
    case .tracks, .playlist:
      LibraryRows.trackID(ofRow: row.id).map { .track($0, title: row.text) }
    case .track: nil
    }
  }

  package func page(of place: Place, by step: Int) -> Place? {
    guard case .tracks(let part, let order, let page) = place, page + step >= 1 else { return nil }
    return .tracks(part, order, page: page + step)
  }

  // MARK: Keys

  package func action(
    of key: Character, in place: Place, row: TerminalRow?
  ) -> TerminalAction<Place>? {
    switch key {
    case "r": .open(.artists(part(of: place)))
    case "a": .open(.albums(part(of: place)))
    case "t": .open(.tracks(part(of: place), Order(), page: 1))
    case "g": .open(.genres)
    case "l": .open(.playlists)
    case "/": .ask("Search") { Self.search($0) }
    case "s": sorted(place) { $0.next }
    case "S": sorted(place) { $0.reversed }
    case "v": track(row, in: place).map { id in .run { try await toggleLove(id) } }
    case "z": .run { "Undone: \(try await desk.undo())" }
    case "Z": .run { "Redone: \(try await desk.redo())" }
    case "0"..."5":
      track(row, in: place).flatMap { id in
        key.wholeNumberValue.map { rating in .run { try await rate(id, rating) } }
      }
    default: nil
    }
  }

  /// Returns the part of the library that a list shows.
  private func part(of place: Place) -> Part {
    switch place {
    case .artists(let part), .albums(let part), .tracks(let part, _, _): part
    case .genres, .playlists, .playlist, .track: Part()
    }
  }

  private static func search(_ typed: String) -> TerminalAction<Place>? {
    if typed.isEmpty { return nil }
    do {
      let filter = TrackFilter(query: try LibraryQuery(typed))
      return .open(.tracks(Part(filter, names: [typed]), Order(), page: 1))
    } catch {
      return .run { throw error }
    }
  }

  private func sorted(_ place: Place, _ change: (Order) -> Order) -> TerminalAction<Place>? {
    guard case .tracks(let part, let order, _) = place else { return nil }
    return .replace(.tracks(part, change(order), page: 1))
  }

  /// Returns the track that a key acts on.
  private func track(_ row: TerminalRow?, in place: Place) -> UUID? {
    switch place {
    case .tracks, .playlist: row.flatMap { LibraryRows.trackID(ofRow: $0.id) }
    case .track(let id, _): id
    case .genres, .artists, .albums, .playlists: nil
    }
  }

  private func toggleLove(_ id: UUID) async throws -> String {
    guard let track = try await details(of: id).load().first else {
      return "The track is no longer in the library."
    }
    try await desk.love([id], !track.isLoved)
    return track.isLoved ? "No longer loved." : "Loved."
  }

  private func rate(_ id: UUID, _ rating: Int) async throws -> String {
    try await desk.rate([id], rating)
    return rating == 0 ? "Not rated." : "Rated \(rating)."
  }

  // MARK: Rows

  package func follow(
    _ place: Place, _ show: @escaping @Sendable ([TerminalRow]) -> Void
  ) async throws {
    switch place {
    case .genres: try await feed.genres().follow { show($0.map(LibraryRows.genre)) }
    case .artists(let part):
      try await feed.artists(part.filter).follow { show($0.map(LibraryRows.artist)) }
    case .albums(let part):
      try await feed.albums(part.filter).follow {
        show($0.map { LibraryRows.album($0, in: part.filter) })
      }
    case .tracks(let part, let order, let page):
      let start = (page - 1) * Self.pageSize
      try await feed.tracks(
        part.filter, by: order.key, isAscending: order.isAscending,
        window: start..<start + Self.pageSize
      ).follow { show($0.map { LibraryRows.track($0, in: part.filter) }) }
    case .playlists: try await feed.playlists.follow { show($0.map(LibraryRows.playlist)) }
    case .playlist(let id, _): try await items(of: id).follow(show)
    case .track(let id, _):
      try await details(of: id).follow { show($0.flatMap(LibraryRows.details)) }
    }
  }

  /// Returns the tracks of a playlist, or no rows if another program has deleted it.
  private func items(of id: UUID) -> FollowedRows<TerminalRow> {
    let tracks = feed.tracks(ofPlaylist: id)
    return FollowedRows(changes: tracks.changes) {
      do {
        return try await tracks.load().enumerated().map { LibraryRows.track($1, at: $0) }
      } catch let error as KanoraError where error.code == .notFound {
        return []
      } catch let error as KanoraError where error.code == .badRules {
        return [TerminalRow(id: "error", error.message, style: .heading, wraps: true)]
      }
    }
  }

  private func details(of id: UUID) -> FollowedRows<TrackRow> {
    FollowedRows { [feed] in
      feed.store.changes(ofEntities: ["Track", "Album", "Artist"])
    } load: { [feed] in
      try await feed.store.read { try LibraryLists.tracks([id], in: $0) }
    }
  }
}
