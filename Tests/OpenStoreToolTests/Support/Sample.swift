import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenObjectModel
import OpenStoreTool

/// A store with an attribute of every type, in a separate folder.
final class Sample {
  let folder: URL
  var file: URL { folder.appendingPathComponent("sample.sqlite") }

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("sample-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  static let attributes: [(name: String, type: NSAttributeType)] = [
    ("amount", .decimalAttributeType), ("big", .integer64AttributeType),
    ("bytes", .binaryDataAttributeType), ("day", .dateAttributeType),
    ("flag", .booleanAttributeType), ("id", .UUIDAttributeType), ("link", .URIAttributeType),
    ("medium", .integer32AttributeType), ("ratio", .doubleAttributeType),
    ("single", .floatAttributeType), ("small", .integer16AttributeType),
    ("title", .stringAttributeType),
  ]

  static func makeModel() -> NSManagedObjectModel {
    let item = NSEntityDescription()
    item.name = "Item"
    let owner = NSEntityDescription()
    owner.name = "Owner"
    let items = NSRelationshipDescription()
    let holder = NSRelationshipDescription()
    (items.name, items.destinationEntity, items.maxCount) = ("items", item, 0)
    (items.isOrdered, items.inverseRelationship) = (true, holder)
    (holder.name, holder.destinationEntity, holder.maxCount) = ("owner", owner, 1)
    holder.inverseRelationship = items
    item.properties = attributes.map { attribute($0.name, $0.type) } + [holder]
    owner.properties = [attribute("name", .stringAttributeType), items]
    let model = NSManagedObjectModel()
    model.entities = [item, owner]
    return model
  }

  private static func attribute(
    _ name: String, _ type: NSAttributeType
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
    return attribute
  }

  /// Writes objects and closes the store.
  func write(_ fill: (NSManagedObjectContext) throws -> Void) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel())
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: file, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      try fill(context)
      try context.save()
    }
    try coordinator.remove(store)
  }

  /// Writes items with numbers from 1 on, and an owner who has them in falling order.
  func writeItems(_ count: Int) throws {
    try write { context in
      let items = try (1...count).map { number in
        let item = try Self.insert("Item", into: context)
        item.setValue("Item \(number)", forKey: "title")
        item.setValue(number, forKey: "medium")
        return item
      }
      // The order of keys within a save is undefined; one save per object keeps the insertion
      // order.
      try context.save()
      let owner = try Self.insert("Owner", into: context)
      owner.setValue("Ann", forKey: "name")
      owner.setValue(NSOrderedSet(array: items.reversed()), forKey: "items")
    }
  }

  static func insert(
    _ name: String, into context: NSManagedObjectContext
  ) throws -> NSManagedObject {
    NSEntityDescription.insertNewObject(forEntityName: name, into: context)
  }

  func open() throws -> InspectedStore { try InspectedStore(at: file.path, modelPath: nil) }

  /// The rows of a query.
  func rows(
    _ entity: String = "Item", includesToMany: Bool = false,
    _ change: (inout StoreQuery) -> Void = { _ in }
  ) throws -> [[OutputValue.Field]] {
    var query = StoreQuery(entity: entity)
    change(&query)
    var rows: [[OutputValue.Field]] = []
    try query.forEachRow(in: open(), includesToMany: includesToMany) { rows.append($0) }
    return rows
  }
}

extension [OutputValue.Field] {
  subscript(_ key: String) -> OutputValue? { first { $0.key == key }?.value }
}
