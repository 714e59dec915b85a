import Foundation
import KanoraCore
import StoreSharing
import WebPages

/// The columns of the browser: genres, years, artists and albums, each filtered by the preceding columns.
///
/// A value.
struct BrowserColumns: Sendable {
  /// The range of artists or albums that a column shows; a link opens the complete list.
  private static let shown = 0..<100

  private struct Column: Sendable {
    let title: String
    let list: ShownList
    /// Whether a row of the column is selected.
    let isChosen: Bool
    /// The address without a selection in this column and the following ones.
    let all: String
    /// The page with all rows, or nil if the column shows all of them.
    var rest: String?
  }

  private let columns: [Column]

  /// Reads the columns of an address.
  init(_ address: BrowserAddress, _ parts: PageParts) async throws {
    let (genre, year, artist) = (address.genre, address.year, address.artistID)
    let key = address.choosing { _ in }
    let feed = parts.feed
    let (ofGenre, ofYear, ofArtist) = (
      TrackFilter(genre: genre), TrackFilter(genre: genre, year: year),
      TrackFilter(genre: genre, year: year, artistID: artist)
    )
    async let genresList = parts.show(feed.genres(), "genres", key: key) { rows in
      rows.compactMap { row in
        row.value.map { value in
          TrackRows.choice(
            "genre-\(PagePath.part(value))", value, row.trackCount,
            to: address.choosing {
              ($0.genre, $0.year, $0.artistID, $0.albumID) = (value, nil, nil, nil)
            }, isChosen: genre == value)
        }
      }
    }
    async let yearsList = parts.show(feed.years(ofGenre), "years", key: key) { rows in
      rows.compactMap { row in
        row.value.map { value in
          TrackRows.choice(
            "year-\(value)", "\(value)", row.trackCount,
            to: address.choosing { ($0.year, $0.artistID, $0.albumID) = (value, nil, nil) },
            isChosen: year == value)
        }
      }
    }
    async let artistsList = parts.show(
      feed.artists(ofYear, window: Self.shown), "artists", key: key
    ) { rows in
      rows.map { row in
        TrackRows.choice(
          "artist-\(row.id.uuidString)", row.name, row.trackCount,
          to: address.choosing { ($0.artistID, $0.albumID) = (row.id, nil) },
          isChosen: artist == row.id)
      }
    }
    async let albumsList = parts.show(
      feed.albums(ofArtist, window: Self.shown), "albums", key: key
    ) { rows in
      rows.map { row in
        TrackRows.choice(
          "album-\(row.id.uuidString)", row.title, row.trackCount,
          to: address.choosing { $0.albumID = row.id }, isChosen: address.albumID == row.id)
      }
    }
    // The columns are read concurrently, each in its own context.
    let (genres, years, artists, albums) = try await (
      genresList, yearsList, artistsList, albumsList
    )
    let isLong = [artists, albums].map { $0.state.rows.count == Self.shown.count }
    columns = [
      Column(
        title: "Genres", list: genres, isChosen: genre != nil,
        all: address.choosing {
          ($0.genre, $0.year, $0.artistID, $0.albumID) = (nil, nil, nil, nil)
        }),
      Column(
        title: "Years", list: years, isChosen: year != nil,
        all: address.choosing { ($0.year, $0.artistID, $0.albumID) = (nil, nil, nil) }),
      Column(
        title: "Artists", list: artists, isChosen: artist != nil,
        all: address.choosing { ($0.artistID, $0.albumID) = (nil, nil) },
        rest: isLong[0] ? AlbumListPages.address("/artists", ofYear) : nil),
      Column(
        title: "Albums", list: albums, isChosen: address.albumID != nil,
        all: address.choosing { $0.albumID = nil },
        rest: isLong[1] ? AlbumListPages.address("/albums", ofArtist) : nil),
    ]
  }

  /// The lists that the page keeps up to date.
  var lists: [ShownList] { columns.map(\.list) }

  /// The columns side by side.
  var markup: Markup {
    element(.div, .class("columns")) {
      for column in columns {
        element(.section, .label(column.title)) {
          element(.h2) {
            element(
              .a, .href(column.all), column.isChosen ? nil : Attribute("aria-current", "true")
            ) { "All \(column.title.lowercased())" }
          }
          column.list.markup(empty: "Nothing here.")
          if let rest = column.rest {
            element(.p) {
              element(.a, .href(rest)) { "List all \(column.title.lowercased())" }
            }
          }
        }
      }
    }
  }
}
