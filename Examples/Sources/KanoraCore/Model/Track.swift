public import CoreData
import Foundation
import OpenPersistenceKit

/// One file of music.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class Track: NSManagedObject {
  /// The id.
  @Managed public var id: UUID
  /// The title.
  @Managed public var title: String
  /// The title for searching; follows from it.
  @Managed public var titleKey: String
  /// The artist of the track where it is another one than that of the album.
  @Managed public var artistName: String?
  /// The artist of the track for searching; follows from it.
  @Managed public var artistKey: String?
  /// The number on the disc.
  @Managed public var trackNumber: Int16?
  /// The number of the disc.
  @Managed public var discNumber: Int16
  /// How long it plays, in seconds.
  @Managed public var duration: Double
  /// The file's path.
  @Managed public var filePath: String
  /// The file's size in bytes.
  @Managed public var fileSize: Int64
  /// When the file was changed, as the last scan saw it.
  @Managed public var fileModifiedAt: Date?
  /// A digest of the audio without the tags, which stays when the file is moved or its tags change.
  @Managed public var fingerprint: String?
  /// When the file was first found missing; nil while it is there.
  @Managed public var missingSince: Date?
  /// The names of the fields that the user has edited, which rescans leave as they are; see ``editedFields``.
  @Managed public var editedKeys: String?
  /// The kind of file: `mp3`, `flac`, `ogg`, `opus`, `m4a`, `wav`.
  @Managed public var format: String
  /// The codec.
  @Managed public var codec: String?
  /// Kilobits a second.
  @Managed public var bitrate: Int32?
  /// Samples a second.
  @Managed public var sampleRate: Int32?
  /// The number of channels.
  @Managed public var channels: Int16?
  /// The composer.
  @Managed public var composer: String?
  /// The genre.
  @Managed public var genre: String?
  /// The genre for searching; follows from it.
  @Managed public var genreKey: String?
  /// The year.
  @Managed public var year: Int32?
  /// The words.
  @Managed public var lyrics: String?
  /// The id at MusicBrainz.
  @Managed public var mbid: String?
  /// How often it was played.
  @Managed public var playCount: Int32
  /// When it was last played.
  @Managed public var lastPlayedAt: Date?
  /// The user's rating, 1 to 5; 0 for none.
  @Managed public var rating: Int16
  /// Whether the user loves it.
  @Managed public var isLoved: Bool
  /// The gain that gives the track the loudness of others, in decibels.
  @Managed public var trackGain: Double?
  /// The highest sample, where 1 is full scale.
  @Managed public var trackPeak: Double?
  /// When it was added.
  @Managed public var createdAt: Date
  /// When it last changed.
  @Managed public var updatedAt: Date
  /// The album.
  @Managed public var album: Album?
  /// Its places in playlists.
  @Managed public var playlistItems: Set<PlaylistItem>
  /// When it was played.
  @Managed public var plays: Set<Play>

  /// Gives a new track its id and dates.
  override public func awakeFromInsert() {
    super.awakeFromInsert()
    id = UUID()
    createdAt = Date()
    updatedAt = createdAt
  }

  /// Brings the keys up to date.
  override public func willSave() {
    super.willSave()
    if !isDeleted { updateKeys() }
  }

  /// The artist of the track, or that of the album where the track has none.
  public var displayArtist: String { artistName ?? album?.artist?.name ?? Artist.unknownName }

  /// The fields that the user has edited.
  public var editedFields: Set<String> {
    get { Set(editedKeys?.split(separator: ",").map(String.init) ?? []) }
    set {
      update(\.editedKeys, to: newValue.isEmpty ? nil : newValue.sorted().joined(separator: ","))
    }
  }

  /// Brings the values that follow from others up to date; those that agree are not touched.
  public func updateKeys() {
    update(\.titleKey, to: SearchText.fold(title))
    update(\.artistKey, to: artistName.map(SearchText.fold))
    update(\.genreKey, to: genre.map(SearchText.fold))
  }
}

/// One time that a track was played.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class Play: NSManagedObject {
  /// When it was played.
  @Managed public var date: Date
  /// The track.
  @Managed public var track: Track?
}
