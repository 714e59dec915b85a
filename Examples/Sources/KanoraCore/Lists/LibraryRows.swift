public import Foundation

/// What a list shows of a track.
public struct TrackRow: Sendable, Hashable, Codable, Identifiable {
  /// The track's id.
  public let id: UUID
  /// The title.
  public let title: String
  /// The artist of the track, or that of its album.
  public let artist: String
  /// The artist of the album; nil for a track without album.
  public let albumArtist: String?
  /// The title of the album.
  public let album: String?
  /// The id of the album.
  public let albumID: UUID?
  /// The number of the disc.
  public let discNumber: Int
  /// The number on the disc.
  public let trackNumber: Int?
  /// Seconds.
  public let duration: Double
  /// The genre.
  public let genre: String?
  /// The year.
  public let year: Int?
  /// The kind of file.
  public let format: String
  /// 1 to 5; 0 for none.
  public let rating: Int
  /// Whether the user loves it.
  public let isLoved: Bool
  /// How often it was played.
  public let playCount: Int
  /// When it was last played.
  public let lastPlayedAt: Date?
  /// When it was added.
  public let addedAt: Date
  /// Whether its file is missing.
  public let isMissing: Bool
  /// The file's path.
  public let filePath: String

  init(_ track: Track) {
    id = track.id
    title = track.title
    artist = track.displayArtist
    albumArtist = track.album?.artist?.name
    album = track.album?.title
    albumID = track.album?.id
    discNumber = Int(track.discNumber)
    trackNumber = track.trackNumber.map(Int.init)
    duration = track.duration
    genre = track.genre
    year = track.year.map(Int.init)
    format = track.format
    rating = Int(track.rating)
    isLoved = track.isLoved
    playCount = Int(track.playCount)
    lastPlayedAt = track.lastPlayedAt
    addedAt = track.createdAt
    isMissing = track.missingSince != nil
    filePath = track.filePath
  }
}

/// What a list shows of an artist.
public struct ArtistRow: Sendable, Hashable, Codable, Identifiable {
  /// The artist's id.
  public let id: UUID
  /// The name.
  public let name: String
  /// The name as it is sorted.
  public let sortName: String
  /// How many albums are listed.
  public let albumCount: Int
  /// How many tracks are listed.
  public let trackCount: Int
}

/// What a list shows of an album.
public struct AlbumRow: Sendable, Hashable, Codable, Identifiable {
  /// The album's id.
  public let id: UUID
  /// The title.
  public let title: String
  /// The album artist.
  public let artist: String?
  /// The album artist's id.
  public let artistID: UUID?
  /// The year.
  public let year: Int?
  /// How many tracks are listed.
  public let trackCount: Int
  /// How long all of its tracks play, in seconds.
  public let duration: Double
  /// Whether its tracks are by several artists.
  public let isCompilation: Bool
  /// The path of the cover.
  public let artworkPath: String?
}

/// A value with the number of tracks that have it.
public struct CountedValue<Value: Sendable & Hashable>: Sendable, Hashable {
  /// The value; nil for tracks without one.
  public let value: Value?
  /// How many tracks.
  public let trackCount: Int
}

/// What a list shows of a playlist.
public struct PlaylistRow: Sendable, Hashable, Codable, Identifiable {
  /// The playlist's id.
  public let id: UUID
  /// The name.
  public let name: String
  /// What it is for.
  public let summary: String?
  /// Whether it follows from rules.
  public let isSmart: Bool
  /// How many items it has; 0 for a smart one.
  public let itemCount: Int

  init(_ playlist: Playlist, itemCount: Int) {
    id = playlist.id
    name = playlist.name
    summary = playlist.summary
    isSmart = playlist.isSmart
    self.itemCount = itemCount
  }
}

/// A playlist with its rules.
public struct PlaylistDetails: Sendable, Hashable {
  /// What lists show.
  public let row: PlaylistRow
  /// The rules of a smart playlist; nil for another one, and for rules that cannot be read.
  public let rules: SmartRules?
  /// Why the rules cannot be read.
  public let problem: String?
}

/// A track at its place in a playlist.
public struct PlaylistEntry: Sendable, Hashable, Codable, Identifiable {
  /// The id of the item; in a smart playlist, that of the track.
  public let id: UUID
  /// The place, from 0.
  public let position: Int
  /// The track.
  public let track: TrackRow
}

/// A file that a scan could not read.
public struct BadFileRow: Sendable, Hashable, Codable {
  /// The path.
  public let path: String
  /// Why it could not be read.
  public let reason: String
  /// When that was found.
  public let seenAt: Date
}
