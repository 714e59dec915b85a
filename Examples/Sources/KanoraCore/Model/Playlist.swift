public import CoreData
public import Foundation

/// A list of tracks in the user's order, or a smart playlist defined by rules.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class Playlist: NSManagedObject {
  /// The id.
  @Managed public var id: UUID
  /// The name.
  @Managed public var name: String
  /// A description of the playlist.
  @Managed public var summary: String?
  /// Whether the playlist is a smart playlist.
  @Managed public var isSmart: Bool
  /// The rules of a smart playlist as JSON; read and written by `SmartRules`.
  @Managed public var smartCriteria: NSData?
  /// The date the playlist was added.
  @Managed public var createdAt: Date
  /// The date of the last change.
  @Managed public var updatedAt: Date
  /// The library.
  @Managed public var library: Library?
  /// The tracks with their positions.
  @Managed public var items: Set<PlaylistItem>

  /// Sets the id and dates of a new playlist.
  override public func awakeFromInsert() {
    super.awakeFromInsert()
    id = UUID()
    createdAt = Date()
    updatedAt = createdAt
  }

  /// The items sorted by position.
  public var orderedItems: [PlaylistItem] {
    items.filter { !$0.isDeleted }
      .sorted { ($0.position, $0.id.uuidString) < ($1.position, $1.id.uuidString) }
  }
}

/// A track at a position in a playlist.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class PlaylistItem: NSManagedObject {
  /// The id.
  @Managed public var id: UUID
  /// The position, starting at 0.
  @Managed public var position: Int32
  /// The date the item was added.
  @Managed public var addedAt: Date
  /// The playlist.
  @Managed public var playlist: Playlist?
  /// The track.
  @Managed public var track: Track?

  /// Sets the id and date of a new item.
  override public func awakeFromInsert() {
    super.awakeFromInsert()
    id = UUID()
    addedAt = Date()
  }
}

/// A side of an item in a playlist.
public enum PlaylistSide: String, Sendable, CaseIterable {
  /// The position before the item.
  case before
  /// The position after the item.
  case after
}
