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
  /// The title as it is sorted; nil where it follows from the title.
  @Managed public var sortTitle: String?
  /// The title for searching; follows from it.
  @Managed public var titleKey: String
  /// The title as it is sorted, without case and accents; follows from it.
  @Managed public var sortKey: String
  /// The year.
  @Managed public var year: Int32?
  /// The day on which it was published.
  @Managed public var releaseDate: Date?
  /// The genre.
  @Managed public var genre: String?
  /// The id at MusicBrainz.
  @Managed public var mbid: String?
  /// The path of the cover.
  @Managed public var artworkPath: String?
  /// The number of stored tracks.
  @Managed public var trackCount: Int32
  /// How long the stored tracks play, in seconds.
  @Managed public var totalDuration: Double
  /// Whether its tracks are by several artists.
  @Managed public var isCompilation: Bool
  /// The gain that gives the album the loudness of others, in decibels.
  @Managed public var albumGain: Double?
  /// The highest sample, where 1 is full scale.
  @Managed public var albumPeak: Double?
  /// When it was added.
  @Managed public var createdAt: Date
  /// When it last changed.
  @Managed public var updatedAt: Date
  /// The album artist.
  @Managed public var artist: Artist?
  /// The tracks.
  @Managed public var tracks: Set<Track>

  /// The title of albums that files do not tell.
  public static let unknownTitle = "Unknown Album"

  /// Gives a new album its id and dates.
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

  /// Changes the title.
  public func retitle(to title: String) {
    update(\.title, to: title)
    updateKeys()
  }

  /// Brings the values that follow from others up to date; those that agree are not touched.
  public func updateKeys() {
    update(\.titleKey, to: SearchText.fold(title))
    update(\.sortKey, to: SearchText.fold(sortTitle ?? SortName.of(title)))
  }

  /// Counts the tracks and adds their durations; values that agree are not touched.
  public func updateTotals() {
    let present = tracks.filter { !$0.isDeleted }
    // Added in one order and rounded to milliseconds, so that the sum is the same whenever and however it is made.
    let sum = present.map(\.duration).sorted().reduce(0, +)
    update(\.trackCount, to: Int32(clamping: present.count))
    update(\.totalDuration, to: (sum * 1_000).rounded() / 1_000)
  }
}
