public import CoreData
import Foundation

/// A folder of music with its artists and playlists.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class Library: NSManagedObject {
  /// The id.
  @Managed public var id: UUID
  /// The name.
  @Managed public var name: String
  /// The path of the folder.
  @Managed public var path: String
  /// The kind of folder; currently always `local`.
  @Managed public var type: String
  /// Whether the library is shown first.
  @Managed public var isDefault: Bool
  /// The date the library was added.
  @Managed public var createdAt: Date
  /// The date of the last change.
  @Managed public var updatedAt: Date
  /// The date of the last completed scan of the folder.
  @Managed public var lastScannedAt: Date?
  /// The owner of the library.
  @Managed public var user: LibraryUser?
  /// The artists.
  @Managed public var artists: Set<Artist>
  /// The playlists.
  @Managed public var playlists: Set<Playlist>
  /// The files that the last scan could not read.
  @Managed public var badFiles: Set<BadFile>

  /// Sets the id and dates of a new library.
  override public func awakeFromInsert() {
    super.awakeFromInsert()
    id = UUID()
    createdAt = Date()
    updatedAt = createdAt
  }
}

/// A file of a library that a scan could not read.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class BadFile: NSManagedObject {
  /// The file's path.
  @Managed public var path: String
  /// The reason why the file could not be read, in one sentence.
  @Managed public var reason: String
  /// The date of that scan.
  @Managed public var seenAt: Date
  /// The library.
  @Managed public var library: Library?
}
