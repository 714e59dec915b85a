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
  /// The name as it is spoken: "The Beatles".
  @Managed public var name: String
  /// The name as it is sorted: "Beatles, The".
  @Managed public var sortName: String
  /// The name for searching; follows from it.
  @Managed public var nameKey: String
  /// The sort name without case and accents; follows from it.
  @Managed public var sortKey: String
  /// The id at MusicBrainz.
  @Managed public var mbid: String?
  /// A text about the artist.
  @Managed public var biography: String?
  /// The path of a picture.
  @Managed public var imagePath: String?
  /// When it was added.
  @Managed public var createdAt: Date
  /// When it last changed.
  @Managed public var updatedAt: Date
  /// The library.
  @Managed public var library: Library?
  /// The albums.
  @Managed public var albums: Set<Album>

  /// The name of artists that files do not tell.
  public static let unknownName = "Unknown Artist"

  /// Gives a new artist its id and dates.
  override public func awakeFromInsert() {
    super.awakeFromInsert()
    id = UUID()
    createdAt = Date()
    updatedAt = createdAt
  }

  /// Brings sort name and keys up to date.
  override public func willSave() {
    super.willSave()
    if !isDeleted { updateKeys() }
  }

  /// Changes the name; a sort name that followed from the old name follows from the new one.
  public func rename(to name: String) {
    let followed = sortName.isEmpty || sortName == SortName.of(self.name)
    update(\.name, to: name)
    if followed { update(\.sortName, to: SortName.of(name)) }
    updateKeys()
  }

  /// Brings the values that follow from others up to date; those that agree are not touched.
  public func updateKeys() {
    if sortName.isEmpty { sortName = SortName.of(name) }
    update(\.nameKey, to: SearchText.fold(name))
    update(\.sortKey, to: SearchText.fold(sortName))
  }
}
