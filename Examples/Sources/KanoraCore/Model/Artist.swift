public import CoreData
import Foundation
import OpenPersistenceKit

/// An artist whose albums are in a library.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class Artist: NSManagedObject {
  /// The id.
  @Managed public var id: UUID
  /// The name in spoken form: "The Beatles".
  @Managed public var name: String
  /// The name used for sorting: "Beatles, The".
  @Managed public var sortName: String
  /// The search key, derived from the name.
  @Managed public var nameKey: String
  /// The sort key without case and accents, derived from the sort name.
  @Managed public var sortKey: String
  /// The MusicBrainz id.
  @Managed public var mbid: String?
  /// A text about the artist.
  @Managed public var biography: String?
  /// The path of a picture.
  @Managed public var imagePath: String?
  /// The date the artist was added.
  @Managed public var createdAt: Date
  /// The date of the last change.
  @Managed public var updatedAt: Date
  /// The library.
  @Managed public var library: Library?
  /// The albums.
  @Managed public var albums: Set<Album>

  /// The name of artists whose files do not name one.
  public static let unknownName = "Unknown Artist"

  /// Sets the id and dates of a new artist.
  override public func awakeFromInsert() {
    super.awakeFromInsert()
    id = UUID()
    createdAt = Date()
    updatedAt = createdAt
  }

  /// Updates the sort name and keys.
  override public func willSave() {
    super.willSave()
    if !isDeleted { updateKeys() }
  }

  /// Changes the name, and the sort name if it was derived from the old name.
  public func rename(to name: String) {
    let followed = sortName.isEmpty || sortName == SortName.of(self.name)
    // The new name can differ only in the Unicode form of an accent.
    if !name.hasSameBytes(as: self.name) { self.name = name }
    if followed { update(\.sortName, to: SortName.of(name)) }
    updateKeys()
  }

  /// Updates the derived values, and leaves unchanged values untouched.
  public func updateKeys() {
    if sortName.isEmpty { sortName = SortName.of(name) }
    update(\.nameKey, to: SearchText.fold(name))
    update(\.sortKey, to: SearchText.fold(sortName))
  }
}
