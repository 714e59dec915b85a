import CoreData
import Foundation
import OpenPersistenceKit

// A music library with the entities that the stack listings use and the integrity checks need.

@ManagedObject
final class Library: NSManagedObject {
  @Managed var name: String
  @Managed var artists: Set<Artist>
}

@ManagedObject
final class Artist: NSManagedObject {
  @Managed var name: String
  @Managed var library: Library?
  @Managed var albums: Set<Album>
  @Managed var similar: Set<Artist>
}

@ManagedObject
final class Album: NSManagedObject {
  @Managed var title: String
  @Managed var artist: Artist?
  @Managed var cover: Cover?
  @Managed var tracks: Set<Track>
}

@ManagedObject
final class Cover: NSManagedObject {
  @Managed var image: Data?
  @Managed var album: Album?
}

@ManagedObject
final class Track: NSManagedObject {
  class func fetchRequest() -> NSFetchRequest<Track> { NSFetchRequest(entityName: "Track") }

  @Managed var title: String
  @Managed var filePath: String?
  @Managed var playCount: Int32
  @Managed var rating: Int16
  @Managed var addedAt: Date?
  @Managed var isFavorite: Bool
  @Managed var album: Album?
  @Managed var genres: Set<Genre>

  convenience init(title: String, context: NSManagedObjectContext) {
    self.init(context: context)
    self.title = title
  }

  func analyze() { rating = 5 }
}

@ManagedObject
final class Genre: NSManagedObject {
  @Managed var name: String
  @Managed var tracks: Set<Track>
}

enum MusicModel {
  @Sendable static func make() -> NSManagedObjectModel {
    let library = entity("Library", [required("name", .stringAttributeType, "")])
    let artist = entity("Artist", [required("name", .stringAttributeType, "")])
    let album = entity("Album", [required("title", .stringAttributeType, "")])
    let image = optional("image", .binaryDataAttributeType)
    image.allowsExternalBinaryDataStorage = true
    let cover = entity("Cover", [image])
    let track = entity(
      "Track",
      [
        required("title", .stringAttributeType, nil), optional("filePath", .stringAttributeType),
        required("playCount", .integer32AttributeType, 0),
        required("rating", .integer16AttributeType, 0), optional("addedAt", .dateAttributeType),
        required("isFavorite", .booleanAttributeType, false),
      ])
    track.uniquenessConstraints = [["filePath"]]
    let genre = entity("Genre", [required("name", .stringAttributeType, "")])
    relate(artist, "library", 1, library, "artists", 0, .cascadeDeleteRule)
    relate(album, "artist", 1, artist, "albums", 0, .cascadeDeleteRule)
    relate(track, "album", 1, album, "tracks", 0, .cascadeDeleteRule)
    relate(album, "cover", 1, cover, "album", 1, .nullifyDeleteRule)
    relate(track, "genres", 0, genre, "tracks", 0, .nullifyDeleteRule)
    let similar = relationship("similar", artist, 0)
    similar.inverseRelationship = similar
    artist.properties.append(similar)
    let model = NSManagedObjectModel()
    model.entities = [library, artist, album, cover, track, genre]
    return model
  }

  private static func entity(
    _ name: String, _ properties: [NSPropertyDescription]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    (entity.name, entity.managedObjectClassName) = (name, name)
    entity.properties = properties
    return entity
  }

  private static func optional(
    _ name: String, _ type: NSAttributeType
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
    return attribute
  }

  private static func required(
    _ name: String, _ type: NSAttributeType, _ value: Any?
  ) -> NSAttributeDescription {
    let attribute = optional(name, type)
    (attribute.isOptional, attribute.defaultValue) = (false, value)
    return attribute
  }

  private static func relationship(
    _ name: String, _ destination: NSEntityDescription, _ maxCount: Int
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    (relationship.name, relationship.destinationEntity) = (name, destination)
    (relationship.maxCount, relationship.isOptional) = (maxCount, true)
    relationship.deleteRule = .nullifyDeleteRule
    return relationship
  }

  private static func relate(
    _ source: NSEntityDescription, _ name: String, _ count: Int,
    _ destination: NSEntityDescription, _ inverseName: String, _ inverseCount: Int,
    _ inverseRule: NSDeleteRule
  ) {
    let there = relationship(name, destination, count)
    let back = relationship(inverseName, source, inverseCount)
    back.deleteRule = inverseRule
    (there.inverseRelationship, back.inverseRelationship) = (back, there)
    source.properties.append(there)
    destination.properties.append(back)
  }
}
