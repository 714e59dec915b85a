import CoreData
import KanoraCore

extension JSONEncoder {
  /// The encoder of all JSON of the service.
  static var service: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}

/// An album in a list.
struct AlbumAnswer: Encodable, Sendable {
  let path: String
  let title: String
  let artist: String?
  let year: Int32?
  let trackCount: Int32

  init(_ album: Album) {
    path = "/albums/\(MusicDatabase.name(of: album.objectID))"
    title = album.title
    artist = album.artist?.name
    year = album.year
    trackCount = album.trackCount
  }
}

/// A part of the list of all albums.
struct AlbumListAnswer: Encodable, Sendable {
  let albums: [AlbumAnswer]
  /// The path of the next part; nil at the end.
  let next: String?
}

/// An album with its tracks, in their order.
struct AlbumPageAnswer: Encodable, Sendable {
  let album: AlbumAnswer
  let tracks: [TrackAnswer]

  init(_ album: Album) {
    self.album = AlbumAnswer(album)
    tracks = album.tracks.sorted { Self.place(of: $0) < Self.place(of: $1) }.map(TrackAnswer.init)
  }

  private static func place(of track: Track) -> (Int16, Int16, String) {
    (track.discNumber, track.trackNumber ?? .max, track.titleKey)
  }
}

/// A track.
struct TrackAnswer: Encodable, Sendable {
  let path: String
  let title: String
  let artist: String
  let duration: Double
  let playCount: Int32
  let rating: Int16
  let isLoved: Bool
  /// The version of the values that a client can change, for the header `If-Match`.
  let version: String

  init(_ track: Track) {
    path = "/tracks/\(MusicDatabase.name(of: track.objectID))"
    title = track.title
    artist = track.displayArtist
    duration = track.duration
    playCount = track.playCount
    rating = track.rating
    isLoved = track.isLoved
    version = Self.version(of: track)
  }

  static func version(of track: Track) -> String {
    String(track.updatedAt.timeIntervalSinceReferenceDate.bitPattern, radix: 36)
  }
}

/// The values of a track to change; values that are left out stay as they are.
struct TrackChange: Decodable, Sendable {
  let title: String?
  let rating: Int16?
  let isLoved: Bool?

  /// Writes the values to a track that has the version that the client has read.
  ///
  /// - Throws: `ServiceError.changed` or `.badRequest`.
  func apply(to track: Track, version: String) throws {
    guard version == TrackAnswer.version(of: track) else { throw ServiceError.changed }
    if let title {
      guard !title.isEmpty else { throw ServiceError.badRequest("A title must not be empty.") }
      track.title = title
      track.editedFields.insert(TrackField.title.rawValue)
    }
    if let rating {
      guard (0...5).contains(rating) else {
        throw ServiceError.badRequest("A rating must be a number from 0 to 5.")
      }
      track.rating = rating
    }
    if let isLoved { track.isLoved = isLoved }
    track.updatedAt = Date()
  }
}

/// A request that failed.
struct FailureAnswer: Encodable {
  let error: String
}
