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
  /// What kind of folder it is; `local` so far.
  @Managed public var type: String
  /// Whether it is the library that is shown first.
  @Managed public var isDefault: Bool
  /// When it was added.
  @Managed public var createdAt: Date
  /// When it last changed.
  @Managed public var updatedAt: Date
  /// When its folder was last scanned to the end.
  @Managed public var lastScannedAt: Date?
  /// Whose it is.
  @Managed public var user: LibraryUser?
  /// The artists.
  @Managed public var artists: Set<Artist>
  /// The playlists.
  @Managed public var playlists: Set<Playlist>
  /// The files that the last scan could not read.
  @Managed public var badFiles: Set<BadFile>

  /// Gives a new library its id and dates.
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
  /// Why it could not be read, in one sentence.
  @Managed public var reason: String
  /// When that was found.
  @Managed public var seenAt: Date
  /// The library.
  @Managed public var library: Library?
}
