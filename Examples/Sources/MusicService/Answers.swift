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
  /// The version of all other values, for the header `If-Match`.
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

  /// Returns the version of a track, which is computed from all values of the answer. It therefore changes even if the program that
  /// changes a value does not set `updatedAt`.
  static func version(of track: Track) -> String {
    let values: [String] = [
      track.title, track.displayArtist, "\(track.duration)", "\(track.playCount)",
      "\(track.rating)", "\(track.isLoved)",
      "\(track.updatedAt.timeIntervalSinceReferenceDate)",
    ]
    // FNV-1a, which is the same in every process. The byte after each value does not occur in UTF-8.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for value in values {
      for byte in value.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
      hash = (hash ^ 0xFF) &* 0x0000_0100_0000_01B3
    }
    return String(hash, radix: 36)
  }
}

/// The values of a track to change; values that are left out stay as they are.
struct TrackChange: Decodable, Sendable {
  let title: String?
  let rating: Int16?
  let isLoved: Bool?

  /// Writes the values to a track that has the version that the client has read.
  ///
  /// - Throws: `ServiceError.changed` or `.badRequest`; `KanoraError` with code `.badValue` for a title that kanora's editor refuses.
  func apply(to track: Track, version: String) throws {
    guard version == TrackAnswer.version(of: track) else { throw ServiceError.changed }
    // Clients can send back the title that they have read, which is not an edit.
    if let title, !title.utf8.elementsEqual(track.title.utf8) {
      track.title = try TrackField.title.checked(title)
      track.editedFields.insert(TrackField.title.rawValue)
    }
    if let rating {
      guard (0...5).contains(rating) else {
        throw ServiceError.badRequest("The rating must be a number from 0 to 5.")
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
