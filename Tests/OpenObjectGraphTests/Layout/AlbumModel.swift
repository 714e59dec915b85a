import Foundation
import OpenCoreData

/// Albums with ordered songs, ordered many-to-many covers and moods, composites and derived attributes.
enum AlbumModel {
  static func make() -> NSManagedObjectModel {
    let album = entity("Album")
    let song = entity("Song")
    let list = entity("List")
    let songs = relationship("songs", to: song, isOrdered: true, rule: .cascadeDeleteRule)
    let owner = relationship("album", to: album, maxCount: 1)
    pair(songs, owner)
    let listed = relationship("songs", to: song, isOrdered: true)
    let lists = relationship("lists", to: list)
    pair(listed, lists)
    let favorites = relationship("favorites", to: song, isOrdered: true)
    album.properties = [
      attribute("title", .string), songs, favorites, origin(),
      derived("songCount", .integer64, "songs.@count"),
      derived("plainTitle", .string, "canonical:(title)"),
      derived("seconds", .integer64, "songs.@sum.length"),
    ]
    song.properties = [
      attribute("title", .string), attribute("length", .integer32), owner, lists,
      derived("albumTitle", .string, "album.title"), derived("savedAt", .date, "now()"),
    ]
    list.properties = [attribute("name", .string), listed]
    let model = NSManagedObjectModel()
    model.entities = [album, song, list]
    return model
  }

  /// A model without derived attributes, which in-memory stores support.
  static func makePlain() -> NSManagedObjectModel {
    let model = make()
    for entity in model.entities {
      entity.properties = entity.properties.filter { !($0 is NSDerivedAttributeDescription) }
    }
    return model
  }

  /// A separate stack.
  static func context(_ type: String, url: URL? = nil) throws -> NSManagedObjectContext {
    let model = type == NSInMemoryStoreType ? makePlain() : make()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: url ?? URL(fileURLWithPath: "/dev/null"))
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  static func insert(
    _ entity: String, _ values: [String: Any], in context: NSManagedObjectContext
  ) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  private static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    return entity
  }

  private static func derived(
    _ name: String, _ type: NSAttributeDescription.AttributeType, _ format: String
  ) -> NSDerivedAttributeDescription {
    let attribute = NSDerivedAttributeDescription()
    attribute.name = name
    attribute.type = type
    attribute.derivationExpression = OpenCoreData.NSExpression(format: format)
    return attribute
  }

  private static func origin() -> NSCompositeAttributeDescription {
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    place.elements = [attribute("city", .string), attribute("height", .integer32)]
    let origin = NSCompositeAttributeDescription()
    origin.name = "origin"
    origin.elements = [attribute("year", .integer32), place]
    return origin
  }

  private static func relationship(
    _ name: String, to destination: NSEntityDescription, maxCount: Int = 0,
    isOrdered: Bool = false, rule: NSDeleteRule = .nullifyDeleteRule
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = maxCount
    relationship.isOrdered = isOrdered
    relationship.deleteRule = rule
    return relationship
  }

  private static func pair(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
    one.inverseRelationship = other
    other.inverseRelationship = one
  }
}
