import CoreData
public import Foundation

/// What tracks are sorted by; those that are equal then follow by album, disc, number and path.
public enum TrackOrder: String, Sendable, Hashable, CaseIterable, Codable {
  /// Album artist, album, disc, number.
  case album
  /// The title.
  case title
  /// The year.
  case year
  /// The genre.
  case genre
  /// How long it plays.
  case duration
  /// The rating.
  case rating
  /// How often it was played.
  case plays
  /// When it was last played.
  case played
  /// When it was added.
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

  /// What albums are sorted by where tracks are sorted by albums.
  static let albumKeys = ["artist.sortKey", "sortKey", "id"]

  private static let keysByAlbum =
    albumKeys.map { "album.\($0)" } + ["discNumber", "trackNumber", "titleKey", "filePath"]

  /// Sort descriptors that leave no two tracks equal.
  func descriptors(isAscending: Bool) -> [NSSortDescriptor] {
    guard let key else {
      return Self.keysByAlbum.map { NSSortDescriptor(key: $0, ascending: isAscending) }
    }
    return [NSSortDescriptor(key: key, ascending: isAscending)]
      + (self == .path ? [] : [NSSortDescriptor(key: "filePath", ascending: true)])
  }
}

/// Which tracks are listed.
public struct TrackFilter: Sendable, Hashable {
  /// A genre, in this spelling; nil for any.
  public var genre: String?
  /// A year; nil for any.
  public var year: Int?
  /// An album artist; nil for any.
  public var artistID: UUID?
  /// An album; nil for any.
  public var albumID: UUID?
  /// What the user looks for.
  public var query: LibraryQuery?

  /// Makes a filter.
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

  /// Which tracks pass; nil for all.
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
