import Foundation
import OpenCoreData

/// Items, special items, and their owners, as plain managed objects.
enum FetchingModel {
  static let stores = [NSSQLiteStoreType, NSInMemoryStoreType]

  static func make() -> NSManagedObjectModel {
    let item = entity(
      "Item", [("name", .string), ("price", .double), ("isSold", .boolean), ("rank", .integer32)])
    let special = entity("SpecialItem", [("reason", .string)])
    let owner = entity("Owner", [("name", .string)])
    let ownerOfItem = relationship("owner", owner, isToMany: false)
    let items = relationship("items", item, isToMany: true)
    ownerOfItem.inverseRelationship = items
    items.inverseRelationship = ownerOfItem
    item.properties += [ownerOfItem]
    owner.properties += [items, cheapItems(), fewItems(), failing()]
    item.subentities = [special]
    let model = NSManagedObjectModel()
    model.entities = [item, special, owner]
    return model
  }

  private static func entity(
    _ name: String, _ attributes: [(String, NSAttributeDescription.AttributeType)]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.type = type
      attribute.isOptional = true
      return attribute
    }
    return entity
  }

  private static func relationship(
    _ name: String, _ destination: NSEntityDescription, isToMany: Bool
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.isOptional = true
    relationship.maxCount = isToMany ? 0 : 1
    return relationship
  }

  /// The owner's items whose price is below the property's limit, by name.
  private static func cheapItems() -> NSFetchedPropertyDescription {
    let property = fetched(
      "cheapItems", "owner == $FETCH_SOURCE AND price < $FETCHED_PROPERTY.userInfo.limit")
    property.userInfo = ["limit": 3]
    return property
  }

  /// All items with the owner's name.
  private static func fewItems() -> NSFetchedPropertyDescription {
    fetched("namesakes", "name BEGINSWITH $FETCH_SOURCE.name")
  }

  private static func failing() -> NSFetchedPropertyDescription {
    fetched("failing", "nothing == $FETCH_SOURCE")
  }

  private static func fetched(_ name: String, _ format: String) -> NSFetchedPropertyDescription {
    let property = NSFetchedPropertyDescription()
    property.name = name
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
    request.predicate = NSPredicate(format: format)
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    property.fetchRequest = request
    return property
  }
}

/// A context with two owners and five saved items.
struct FetchingStack {
  let container: NSPersistentContainer
  let context: NSManagedObjectContext

  /// - Parameter storeTypes: One store for each.
  init(_ storeTypes: String...) throws {
    container = try .loaded(
      "Shop", FetchingModel.make(), storeTypes.map { NSPersistentStoreDescription(type: $0) })
    context = container.newBackgroundContext()
  }

  /// Saves the items, then runs work on the context's queue.
  func run(_ work: (FetchingStack) throws -> Void) throws {
    try context.performAndWait {
      try seed()
      try work(self)
    }
  }

  /// Saves the items a to e; c is a special item, e has no owner and no price.
  func seed() throws {
    let (ann, bob) = (insert("Owner", ["name": "a"]), insert("Owner", ["name": "bob"]))
    insert("Item", ["name": "a", "price": 1.5, "isSold": true, "rank": 1, "owner": ann])
    insert("Item", ["name": "b", "price": 4.0, "isSold": false, "rank": 1, "owner": ann])
    insert("SpecialItem", ["name": "c", "price": 2.5, "isSold": true, "rank": 2, "owner": bob])
    insert("Item", ["name": "d", "price": 1.5, "isSold": false, "rank": 2, "owner": bob])
    insert("Item", ["name": "e", "isSold": true, "rank": 3])
    try context.save()
  }

  @discardableResult
  func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  func item(_ name: String, _ entity: String = "Item") throws -> NSManagedObject? {
    try context.fetch(Self.request("name == %@", [name], entity: entity)).first
  }

  static func request(
    _ format: String? = nil, _ arguments: [Any] = [], sort: [NSSortDescriptor]? = nil,
    entity: String = "Item"
  ) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = format.map { NSPredicate(format: $0, argumentArray: arguments) }
    request.sortDescriptors = sort ?? [NSSortDescriptor(key: "name", ascending: true)]
    return request
  }

  /// Returns the names of a request's results, one letter each.
  func names(_ request: NSFetchRequest<NSManagedObject>) throws -> String {
    Self.names(of: try context.fetch(request))
  }

  /// Returns the names of objects; `-` is an object without a name.
  static func names(of objects: [NSManagedObject]) -> String {
    objects.map { $0.value(forKey: "name") as? String ?? "-" }.joined()
  }

  static func dictionaries(
    _ properties: [Any], sort: String? = nil
  ) -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: "Item")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = properties
    request.sortDescriptors = sort.map { [NSSortDescriptor(key: $0, ascending: true)] }
    return request
  }
}
