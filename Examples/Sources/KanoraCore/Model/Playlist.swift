public import CoreData
public import Foundation

/// A list of tracks in the user's order, or one that follows from rules.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class Playlist: NSManagedObject {
  /// The id.
  @Managed public var id: UUID
  /// The name.
  @Managed public var name: String
  /// What it is for.
  @Managed public var summary: String?
  /// Whether it follows from rules.
  @Managed public var isSmart: Bool
  /// The rules of a smart playlist as JSON; read and written by `SmartRules`.
  @Managed public var smartCriteria: NSData?
  /// When it was added.
  @Managed public var createdAt: Date
  /// When it last changed.
  @Managed public var updatedAt: Date
  /// The library.
  @Managed public var library: Library?
  /// The tracks with their positions.
  @Managed public var items: Set<PlaylistItem>

  /// Gives a new playlist its id and dates.
  override public func awakeFromInsert() {
    super.awakeFromInsert()
    id = UUID()
    createdAt = Date()
    updatedAt = createdAt
  }

  /// The items by their positions.
  public var orderedItems: [PlaylistItem] {
    items.filter { !$0.isDeleted }
      .sorted { ($0.position, $0.id.uuidString) < ($1.position, $1.id.uuidString) }
  }
}

/// A track at a position of a playlist.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class PlaylistItem: NSManagedObject {
  /// The id.
  @Managed public var id: UUID
  /// The position, from 0.
  @Managed public var position: Int32
  /// When it was added.
  @Managed public var addedAt: Date
  /// The playlist.
  @Managed public var playlist: Playlist?
  /// The track.
  @Managed public var track: Track?

  /// Gives a new item its id and date.
  override public func awakeFromInsert() {
    super.awakeFromInsert()
    id = UUID()
    addedAt = Date()
  }
}
