import CoreData
import Foundation

// A model whose classes declare properties as sources for Apple systems do.

enum Binding: Int16 { case paper = 1, cloth, leather }

@ManagedObject @ReadableByKey
class Shelf: NSManagedObject {
  @Managed var name: String
  @Managed var volumes: Set<Volume>?
  @Managed var order: NSMutableOrderedSet

  var initial: String { String(name.prefix(1)) }
  var capacity: Int { 10 }
  var label: String {
    get { name }
    set { name = newValue }
  }
}

@ManagedObject @ReadableByKey
class Volume: NSManagedObject {
  @Managed var title: String
  @Managed var binding: Binding
  @Managed var spare: Binding?
  @Managed var price: NSDecimalNumber
  @Managed var pages: NSNumber
  @Managed var printed: NSDate
  @Managed var shelf: Shelf
  @Managed var place: Shelf?

  var initial: String { String(title.prefix(1)) }

  override func value(forKey key: String) -> Any? {
    key == "shout" ? title.uppercased() : super.value(forKey: key)
  }
}

/// A class of volumes whose property types are not the types of the attributes.
@ManagedObject
class Misdeclared: NSManagedObject {
  @Managed var title: Int32
  @Managed var binding: String
  @Managed var spare: Decimal?
  @Managed var price: Data
  @Managed var pages: UUID?
  @Managed var printed: Int64?
}

enum ShelfModel {
  static func make() -> NSManagedObjectModel {
    let shelf = NSEntityDescription()
    (shelf.name, shelf.managedObjectClassName) = ("Shelf", "Shelf")
    let volume = NSEntityDescription()
    (volume.name, volume.managedObjectClassName) = ("Volume", "Volume")
    let volumes = relationship("volumes", to: volume, isToMany: true)
    let owner = relationship("shelf", to: shelf)
    let order = relationship("order", to: volume, isToMany: true)
    order.isOrdered = true
    let place = relationship("place", to: shelf)
    (volumes.inverseRelationship, owner.inverseRelationship) = (owner, volumes)
    (order.inverseRelationship, place.inverseRelationship) = (place, order)
    shelf.properties = [attribute("name", .string), volumes, order]
    volume.properties = [
      attribute("title", .string), attribute("binding", .integer16),
      attribute("spare", .integer16), attribute("price", .decimal), attribute("pages", .integer32),
      attribute("printed", .date), owner, place,
    ]
    let model = NSManagedObjectModel()
    model.entities = [shelf, volume]
    return model
  }

  private static func attribute(
    _ name: String, _ type: NSAttributeDescription.AttributeType
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.type, attribute.isOptional) = (name, type, true)
    return attribute
  }

  private static func relationship(
    _ name: String, to destination: NSEntityDescription, isToMany: Bool = false
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    (relationship.name, relationship.destinationEntity) = (name, destination)
    relationship.maxCount = isToMany ? 0 : 1
    relationship.deleteRule = .nullifyDeleteRule
    return relationship
  }
}
