import Dispatch
public import Foundation
public import OpenCoreData

/// The model that the tests of several processes share with the program they start.
public enum ProcessModel {
  /// Accounts, counters with their entries, and tallies.
  public static func make() -> NSManagedObjectModel {
    let account = entity("Account", ["number", "balance"])
    let tally = entity("Tally", ["value"])
    let counter = entity("Counter", ["number", "value"])
    let entry = entity("Entry", ["batch", "amount"])
    entry.properties.append(text("note"))
    let owner = relationship("counter", to: counter, maxCount: 1)
    let entries = relationship("entries", to: entry, maxCount: 0)
    owner.inverseRelationship = entries
    entries.inverseRelationship = owner
    entry.properties.append(owner)
    counter.properties.append(entries)
    let model = NSManagedObjectModel()
    model.entities = [account, counter, entry, tally]
    return model
  }

  /// The next version: entries are renamed to items, with a kind and an order in their counters;
  /// tallies are removed.
  public static func makeNext() -> NSManagedObjectModel {
    let model = make()
    model.entities.removeAll { $0.name == "Tally" }
    for entity in model.entities where entity.name == "Entry" {
      entity.name = "Item"
      entity.renamingIdentifier = "Entry"
      let kind = text("kind")
      kind.defaultValue = "plain"
      entity.properties.append(kind)
      entity.properties.removeAll { $0.name == "batch" }
    }
    return model
  }

  /// The version after the next one: items have a rank.
  public static func makeLast() -> NSManagedObjectModel {
    let model = makeNext()
    model.entitiesByName["Item"]?.properties.append(number("rank"))
    return model
  }

  /// The kind that items get from the handler of a staged migration.
  public static let handledKind = "handled"

  private static func entity(_ name: String, _ numbers: [String]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = numbers.map(number)
    return entity
  }

  /// A required integer attribute, 0 by default.
  static func number(_ name: String) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = .integer64AttributeType
    attribute.defaultValue = 0
    attribute.isOptional = false
    return attribute
  }

  private static func text(_ name: String) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = .stringAttributeType
    attribute.isOptional = true
    return attribute
  }

  private static func relationship(
    _ name: String, to destination: NSEntityDescription, maxCount: Int
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.minCount = 0
    relationship.maxCount = maxCount
    relationship.isOptional = true
    return relationship
  }

  /// Opens a store with history and notifications of remote changes.
  ///
  /// - Parameters:
  ///   - url: The store's file.
  ///   - options: Further options.
  public static func open(
    _ url: URL, options: [AnyHashable: Any] = [:]
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: make())
    var all: [AnyHashable: Any] = [
      NSPersistentHistoryTrackingKey: true as NSNumber,
      NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber,
      NSPersistentStoreTimeoutOption: 30 as NSNumber,
    ]
    all.merge(options) { _, given in given }
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: all)
    return coordinator
  }

  /// A context of a coordinator, whose saves have an author in the history.
  public static func context(
    _ coordinator: NSPersistentStoreCoordinator, author: String
  ) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.transactionAuthor = author
    context.mergePolicy = NSErrorMergePolicy
    return context
  }

  /// The system's clock that all processes share, in nanoseconds.
  public static var nanoseconds: Int {
    Int(clamping: DispatchTime.now().uptimeNanoseconds)
  }
}
