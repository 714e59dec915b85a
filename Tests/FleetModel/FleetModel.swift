package import Foundation
package import OpenCoreData
import OpenPostgresStore

/// Accounts and the entries that are booked on them, for processes that share a server.
package enum FleetModel {
  private static func make() -> NSManagedObjectModel {
    let account = NSEntityDescription()
    account.name = "Account"
    let entry = NSEntityDescription()
    entry.name = "Entry"
    account.properties = [
      attribute("number", .integer32), attribute("balance", .integer64),
      attribute("changes", .integer64), attribute("label", .integer64),
      relationship("entries", to: entry, maxCount: 0),
    ]
    entry.properties = [
      attribute("amount", .integer64), relationship("account", to: account, maxCount: 1),
    ]
    account.relationshipsByName["entries"]?.inverseRelationship =
      entry.relationshipsByName["account"]
    entry.relationshipsByName["account"]?.inverseRelationship =
      account.relationshipsByName["entries"]
    let model = NSManagedObjectModel()
    model.entities = [account, entry]
    return model
  }

  private static func attribute(
    _ name: String, _ type: NSAttributeDescription.AttributeType
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.type = type
    attribute.isOptional = true
    return attribute
  }

  private static func relationship(
    _ name: String, to destination: NSEntityDescription, maxCount: Int
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = maxCount
    return relationship
  }

  /// Opens the store at a URL, with a history.
  package static func context(_ url: URL) throws -> NSManagedObjectContext {
    PostgresStore.register()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: make())
    try coordinator.addPersistentStore(
      ofType: OpenPostgresStoreType, configurationName: nil, at: url,
      options: [
        NSPersistentHistoryTrackingKey: true,
        NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
      ])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }
}
