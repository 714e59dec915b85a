import CoreData
public import Foundation

/// The sort order of tracks. Tracks that are equal in this order are sorted by path.
public enum TrackOrder: String, Sendable, Hashable, CaseIterable, Codable {
  /// Album artist, album, disc, number.
  case album
  /// The title.
  case title
  /// The year.
  case year
  /// The genre.
  case genre
  /// The duration.
  case duration
  /// The rating.
  case rating
  /// The number of plays.
  case plays
  /// The date of the last play.
  case played
  /// The date the track was added.
  case added
  /// The file's path.
  case path

  private var key: String? {
    switch self {
    case .album: nil
    case .title: "titleKey"
    case .year: "year"
    case .genre: "genreKey"
    case .duration: "duration"
    case .rating: "rating"
    case .plays: "playCount"
    case .played: "lastPlayedAt"
    case .added: "createdAt"
    case .path: "filePath"
    }
  }

  /// The sort keys of albums when tracks are sorted by album.
  static let albumKeys = ["artist.sortKey", "sortKey", "id"]

  private static let keysByAlbum =
    albumKeys.map { "album.\($0)" } + ["discNumber", "trackNumber", "titleKey", "filePath"]

  /// Returns sort descriptors in which no two tracks are equal.
  func descriptors(isAscending: Bool) -> [NSSortDescriptor] {
    guard let key else {
      return Self.keysByAlbum.map { NSSortDescriptor(key: $0, ascending: isAscending) }
    }
    return [NSSortDescriptor(key: key, ascending: isAscending)]
      + (self == .path ? [] : [NSSortDescriptor(key: "filePath", ascending: true)])
  }
}

/// A filter of tracks.
public struct TrackFilter: Sendable, Hashable {
  /// A genre in this exact spelling, or nil for any.
  public var genre: String?
  /// A year, or nil for any.
  public var year: Int?
  /// An album artist, or nil for any.
  public var artistID: UUID?
  /// An album, or nil for any.
  public var albumID: UUID?
  /// The user's search query.
  public var query: LibraryQuery?

  /// Creates a filter.
  public init(
    genre: String? = nil, year: Int? = nil, artistID: UUID? = nil, albumID: UUID? = nil,
    query: LibraryQuery? = nil
  ) {
    self.genre = genre
    self.year = year
    self.artistID = artistID
    self.albumID = albumID
    self.query = query
  }

  /// Returns a predicate for the tracks that match, or nil for all tracks.
  func predicate(now: Date) -> NSPredicate? {
    var parts: [NSPredicate] = []
    func add(_ format: String, _ value: Any) {
      parts.append(NSPredicate(format: format, argumentArray: [value]))
    }
    if let genre { add("genre == %@", genre) }
    if let year { add("year == %@", year) }
    if let artistID { add("album.artist.id == %@", artistID) }
    if let albumID { add("album.id == %@", albumID) }
    if let query { parts.append(query.predicate(now: now)) }
    return parts.isEmpty ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: parts)
  }
}
