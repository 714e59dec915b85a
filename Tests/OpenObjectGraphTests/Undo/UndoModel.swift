import Foundation
import OpenCoreData

/// Nodes with every kind of relationship: a tree with a cascade, one-to-one, many-to-many, ordered, without inverse.
enum UndoModel {
  static let stores = [NSSQLiteStoreType, NSInMemoryStoreType]

  static func make(blobClass: String? = nil) -> NSManagedObjectModel {
    let (node, tag, item) = (entity("Node"), entity("Tag"), entity("Item"))
    let parent = relationship("parent", to: node, maxCount: 1)
    let children = relationship("children", to: node, rule: .cascadeDeleteRule)
    let mentor = relationship("mentor", to: node, maxCount: 1)
    let pupil = relationship("pupil", to: node, maxCount: 1)
    let tags = relationship("tags", to: tag)
    let nodes = relationship("nodes", to: node)
    let items = relationship("items", to: item, isOrdered: true)
    let owner = relationship("owner", to: node, maxCount: 1)
    let marks = relationship("marks", to: tag)
    for (one, other) in [(parent, children), (mentor, pupil), (tags, nodes), (items, owner)] {
      one.inverseRelationship = other
      other.inverseRelationship = one
    }
    let note = attribute("note", .string)
    note.isTransient = true
    node.properties = [
      attribute("code", .integer32), attribute("name", .string), attribute("number", .integer32),
      attribute("blob", .transformable), note, parent, children, mentor, pupil, tags, items, marks,
    ]
    node.attributesByName["blob"]?.attributeValueClassName = blobClass
    tag.properties = [attribute("code", .integer32), attribute("name", .string), nodes]
    item.properties = [attribute("code", .integer32), attribute("name", .string), owner]
    let model = NSManagedObjectModel()
    model.entities = [node, tag, item]
    return model
  }

  /// A context of a separate stack.
  static func context(
    _ type: String, blobClass: String? = nil
  ) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: make(blobClass: blobClass))
    try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// A context of a separate stack, with an undo manager.
  static func undoingContext(_ type: String) throws -> (NSManagedObjectContext, UndoManager) {
    let context = try context(type)
    let manager = UndoManager()
    context.undoManager = manager
    return (context, manager)
  }

  static func insert(
    _ entity: String, _ name: String? = nil, code: Int = 0, in context: NSManagedObjectContext
  ) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValue(code, forKey: "code")
    object.setValue(name, forKey: "name")
    return object
  }

  private static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    return entity
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
}

extension NSManagedObject {
  /// The objects of a relationship, in their order if it has one.
  func related(_ key: String) -> [NSManagedObject] {
    switch value(forKey: key) {
    case let object as NSManagedObject: [object]
    case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
    case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
    default: []
    }
  }

  var undoName: String? { value(forKey: "name") as? String }
}

extension NSManagedObjectContext {
  /// All objects of the model, one line each, by entity and code.
  func graph() throws -> [String] {
    var lines: [String] = []
    for entity in ["Node", "Tag", "Item"] {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      lines += try fetch(request).map { Self.line($0) }
    }
    return lines.sorted()
  }

  private static func line(_ object: NSManagedObject) -> String {
    var parts = [object.entity.name ?? "", "\(object.value(forKey: "code") ?? "-")"]
    for attribute in object.entity.attributesByName.keys.sorted() where attribute != "code" {
      parts.append("\(attribute)=\(object.value(forKey: attribute).map { "\($0)" } ?? "-")")
    }
    for (name, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key }) {
      let codes = object.related(name).map { $0.value(forKey: "code") as? Int ?? -1 }
      parts.append("\(name)=\(relationship.isOrdered ? codes : codes.sorted())")
    }
    return parts.joined(separator: " ")
  }
}
