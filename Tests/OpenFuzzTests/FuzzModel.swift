import Foundation
import OpenCoreData

/// A model with everything that a store lays out in its own way, and a store with some rows of it.
enum FuzzModel {
  /// - Parameter hasCondition: Whether a text has a condition, which documents have no place for.
  static func make(hasCondition: Bool = true) -> NSManagedObjectModel {
    let node = NSEntityDescription()
    node.name = "Node"
    let leaf = NSEntityDescription()
    leaf.name = "Leaf"
    let types: [(String, NSAttributeDescription.AttributeType)] = [
      ("small", .integer16), ("whole", .integer64), ("real", .double), ("exact", .decimal),
      ("text", .string), ("flag", .boolean), ("moment", .date), ("bytes", .binaryData),
      ("mark", .uuid), ("place", .uri), ("thing", .transformable),
    ]
    let attributes = types.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.type = type
      return attribute
    }
    let parent = NSRelationshipDescription()
    parent.name = "parent"
    parent.maxCount = 1
    let children = NSRelationshipDescription()
    children.name = "children"
    children.isOrdered = true
    children.deleteRule = .cascadeDeleteRule
    let friends = NSRelationshipDescription()
    friends.name = "friends"
    for relationship in [parent, children, friends] { relationship.destinationEntity = node }
    parent.inverseRelationship = children
    children.inverseRelationship = parent
    friends.inverseRelationship = friends
    node.properties = attributes + [parent, children, friends]
    node.subentities = [leaf]
    node.indexes = [
      NSFetchIndexDescription(
        name: "byText",
        elements: [
          NSFetchIndexElementDescription(property: attributes[4], collationType: .binary)
        ])
    ]
    if hasCondition {
      attributes[4].setValidationPredicates(
        [NSPredicate(format: "length:(SELF) < 100")], withValidationWarnings: ["too long"])
    }
    let model = NSManagedObjectModel()
    model.entities = [node, leaf]
    return model
  }

  /// Creates a store of two dozen related rows, without a log.
  static func fill(_ url: URL) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: make())
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url,
      options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      var last: NSManagedObject?
      for number in 0..<24 {
        let object = NSEntityDescription.insertNewObject(
          forEntityName: number % 3 == 0 ? "Leaf" : "Node", into: context)
        object.setValue(number, forKey: "small")
        object.setValue("text \(number)", forKey: "text")
        object.setValue(Date(timeIntervalSinceReferenceDate: Double(number) / 4), forKey: "moment")
        object.setValue(Data(repeating: UInt8(number), count: number), forKey: "bytes")
        object.setValue(["a", number] as NSArray, forKey: "thing")
        object.setValue(Decimal(number) / 8, forKey: "exact")
        object.setValue(last, forKey: "parent")
        if let last { object.setValue(NSSet(array: [last]), forKey: "friends") }
        last = object
      }
      try context.save()
    }
    try coordinator.remove(store)
  }
}
