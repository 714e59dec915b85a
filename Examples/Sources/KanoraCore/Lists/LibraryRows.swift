public import Foundation

/// The values of a track in a list.
public struct TrackRow: Sendable, Hashable, Codable, Identifiable {
  /// The track's id.
  public let id: UUID
  /// The title.
  public let title: String
  /// The artist of the track, or the album artist.
  public let artist: String
  /// The album artist, or nil for a track without an album.
  public let albumArtist: String?
  /// The title of the album.
  public let album: String?
  /// The id of the album.
  public let albumID: UUID?
  /// The disc number.
  public let discNumber: Int
  /// The track number on the disc.
  public let trackNumber: Int?
  /// The duration in seconds.
  public let duration: Double
  /// The genre.
  public let genre: String?
  /// The year.
  public let year: Int?
  /// The file format.
  public let format: String
  /// The rating from 1 to 5, or 0 for none.
  public let rating: Int
  /// Whether the user loves the track.
  public let isLoved: Bool
  /// The number of times the track was played.
  public let playCount: Int
  /// The date of the last play.
  public let lastPlayedAt: Date?
  /// The date the track was added.
  public let addedAt: Date
  /// Whether the track's file is missing.
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

/// The values of an artist in a list.
public struct ArtistRow: Sendable, Hashable, Codable, Identifiable {
  /// The artist's id.
  public let id: UUID
  /// The name.
  public let name: String
  /// The name used for sorting.
  public let sortName: String
  /// The number of listed albums.
  public let albumCount: Int
  /// The number of listed tracks.
  public let trackCount: Int
}

/// The values of an album in a list.
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
  /// The number of listed tracks.
  public let trackCount: Int
  /// The total duration of all tracks, in seconds.
  public let duration: Double
  /// Whether the tracks are by several artists.
  public let isCompilation: Bool
  /// The path of the cover.
  public let artworkPath: String?
}

/// A value with the number of tracks that have it.
public struct CountedValue<Value: Sendable & Hashable>: Sendable, Hashable {
  /// The value, or nil for tracks without one.
  public let value: Value?
  /// The number of tracks.
  public let trackCount: Int
}

/// The values of a playlist in a list.
public struct PlaylistRow: Sendable, Hashable, Codable, Identifiable {
  /// The playlist's id.
  public let id: UUID
  /// The name.
  public let name: String
  /// A description of the playlist.
  public let summary: String?
  /// Whether the playlist is a smart playlist.
  public let isSmart: Bool
  /// The number of items; 0 for a smart playlist.
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
  /// The values shown in lists.
  public let row: PlaylistRow
  /// The rules of a smart playlist; nil for other playlists, and for rules that cannot be read.
  public let rules: SmartRules?
  /// The reason why the rules cannot be read.
  public let problem: String?
}

/// A track at its position in a playlist.
public struct PlaylistEntry: Sendable, Hashable, Codable, Identifiable {
  /// The id of the item, or of the track in a smart playlist.
  public let id: UUID
  /// The position, starting at 0.
  public let position: Int
  /// The track.
  public let track: TrackRow
}

/// A file that a scan could not read.
public struct BadFileRow: Sendable, Hashable, Codable {
  /// The path.
  public let path: String
  /// The reason why the file could not be read.
  public let reason: String
  /// The date of that scan.
  public let seenAt: Date
}
