public import CoreData
import Foundation
import OpenPersistenceKit

/// One music file.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class Track: NSManagedObject {
  /// The id.
  @Managed public var id: UUID
  /// The title.
  @Managed public var title: String
  /// The search key, derived from the title.
  @Managed public var titleKey: String
  /// The artist of the track, if different from the album artist.
  @Managed public var artistName: String?
  /// The search key, derived from the artist of the track.
  @Managed public var artistKey: String?
  /// The track number on the disc.
  @Managed public var trackNumber: Int16?
  /// The disc number.
  @Managed public var discNumber: Int16
  /// The duration in seconds.
  @Managed public var duration: Double
  /// The file's path.
  @Managed public var filePath: String
  /// The file's size in bytes.
  @Managed public var fileSize: Int64
  /// The file's modification date at the last scan.
  @Managed public var fileModifiedAt: Date?
  /// A digest of the audio without the tags, which does not change when the file is moved or its tags change.
  @Managed public var fingerprint: String?
  /// The date the file was first found missing; nil if it is present.
  @Managed public var missingSince: Date?
  /// The names of the fields that the user has edited, which rescans keep; see ``editedFields``.
  @Managed public var editedKeys: String?
  /// The file format: `mp3`, `flac`, `ogg`, `opus`, `m4a`, `wav`.
  @Managed public var format: String
  /// The codec.
  @Managed public var codec: String?
  /// The bit rate in kilobits per second.
  @Managed public var bitrate: Int32?
  /// The sample rate in samples per second.
  @Managed public var sampleRate: Int32?
  /// The number of channels.
  @Managed public var channels: Int16?
  /// The composer.
  @Managed public var composer: String?
  /// The genre.
  @Managed public var genre: String?
  /// The search key, derived from the genre.
  @Managed public var genreKey: String?
  /// The year.
  @Managed public var year: Int32?
  /// The lyrics.
  @Managed public var lyrics: String?
  /// The MusicBrainz id.
  @Managed public var mbid: String?
  /// The number of times the track was played.
  @Managed public var playCount: Int32
  /// The date of the last play.
  @Managed public var lastPlayedAt: Date?
  /// The user's rating from 1 to 5, or 0 for none.
  @Managed public var rating: Int16
  /// Whether the user loves the track.
  @Managed public var isLoved: Bool
  /// The gain in decibels that adjusts the track to the reference loudness.
  @Managed public var trackGain: Double?
  /// The peak sample value, where 1 is full scale.
  @Managed public var trackPeak: Double?
  /// The date the track was added.
  @Managed public var createdAt: Date
  /// The date of the last change.
  @Managed public var updatedAt: Date
  /// The album.
  @Managed public var album: Album?
  /// The track's items in playlists.
  @Managed public var playlistItems: Set<PlaylistItem>
  /// The track's plays.
  @Managed public var plays: Set<Play>

  /// The allowed durations in seconds, up to about 31 years.
  static let durations: ClosedRange<Double> = 0...999_999_999

  /// Sets the id and dates of a new track.
  override public func awakeFromInsert() {
    super.awakeFromInsert()
    id = UUID()
    createdAt = Date()
    updatedAt = createdAt
  }

  /// Updates the keys.
  override public func willSave() {
    super.willSave()
    if !isDeleted { updateKeys() }
  }

  /// The artist of the track, or the album artist if the track has none.
  public var displayArtist: String { artistName ?? album?.artist?.name ?? Artist.unknownName }

  /// The fields that the user has edited.
  public var editedFields: Set<String> {
    get { Set(editedKeys?.split(separator: ",").map(String.init) ?? []) }
    set {
      update(\.editedKeys, to: newValue.isEmpty ? nil : newValue.sorted().joined(separator: ","))
    }
  }

  /// Adds a play. A play that is recorded late does not move the date of the last play back.
  public func addPlay(at instant: Date) {
    guard let context = managedObjectContext else { return }
    let play = Play(context: context)
    (play.date, play.track) = (instant, self)
    if playCount < Int32.max { playCount += 1 }
    lastPlayedAt = max(instant, lastPlayedAt ?? instant)
  }

  /// Updates the derived values, and leaves unchanged values untouched.
  public func updateKeys() {
    update(\.titleKey, to: SearchText.fold(title))
    update(\.artistKey, to: artistName.map(SearchText.fold))
    update(\.genreKey, to: genre.map(SearchText.fold))
  }
}

/// One play of a track.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class Play: NSManagedObject {
  /// The date of the play.
  @Managed public var date: Date
  /// The track.
  @Managed public var track: Track?
}
