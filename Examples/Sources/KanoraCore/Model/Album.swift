public import CoreData
import Foundation
import OpenPersistenceKit

/// An album; its artist is the album artist.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class Album: NSManagedObject {
  /// The id.
  @Managed public var id: UUID
  /// The title.
  @Managed public var title: String
  /// The title used for sorting; nil if it is derived from the title.
  @Managed public var sortTitle: String?
  /// The search key, derived from the title.
  @Managed public var titleKey: String
  /// The sort key without case and accents, derived from the sort title.
  @Managed public var sortKey: String
  /// The year.
  @Managed public var year: Int32?
  /// The release date.
  @Managed public var releaseDate: Date?
  /// The genre.
  @Managed public var genre: String?
  /// The MusicBrainz id.
  @Managed public var mbid: String?
  /// The path of the cover.
  @Managed public var artworkPath: String?
  /// The number of stored tracks.
  @Managed public var trackCount: Int32
  /// The total duration of the stored tracks, in seconds.
  @Managed public var totalDuration: Double
  /// Whether the tracks are by several artists.
  @Managed public var isCompilation: Bool
  /// The gain in decibels that adjusts the album to the reference loudness.
  @Managed public var albumGain: Double?
  /// The peak sample value, where 1 is full scale.
  @Managed public var albumPeak: Double?
  /// The date the album was added.
  @Managed public var createdAt: Date
  /// The date of the last change.
  @Managed public var updatedAt: Date
  /// The album artist.
  @Managed public var artist: Artist?
  /// The tracks.
  @Managed public var tracks: Set<Track>

  /// The title of albums whose files do not name one.
  public static let unknownTitle = "Unknown Album"

  /// Sets the id and dates of a new album.
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

  /// Changes the title.
  public func retitle(to title: String) {
    // The new title can differ only in the Unicode form of an accent.
    if !title.hasSameBytes(as: self.title) { self.title = title }
    updateKeys()
  }

  /// Updates the derived values, and leaves unchanged values untouched.
  public func updateKeys() {
    update(\.titleKey, to: SearchText.fold(title))
    update(\.sortKey, to: SearchText.fold(sortTitle ?? SortName.of(title)))
  }

  /// Updates the track count and total duration, and leaves unchanged values untouched.
  public func updateTotals() {
    let present = tracks.filter { !$0.isDeleted }
    // Sorted before summing and rounded to milliseconds, so that the result is always the same.
    let sum = present.map(\.duration).sorted().reduce(0, +)
    update(\.trackCount, to: Int32(clamping: present.count))
    update(\.totalDuration, to: (sum * 1_000).rounded() / 1_000)
  }
}
