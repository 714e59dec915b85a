import Foundation
import OpenCoreData
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import OpenPostgresStore
import OpenStoreContract
import PostgresTestServer

/// A PostgreSQL store in its own schema. Tests fill it with one model, and migrate it to another.
struct ServedStore {
  let url: URL
  /// The maximum time of a migration's waits, in seconds.
  var timeout = 10.0

  init() throws { try self.init(at: TestServer.shared.get().newURL()) }

  init(at url: URL) {
    PostgresStore.register()
    self.url = url
  }

  var configuration: StoreConfiguration {
    var configuration = StoreConfiguration(url: url)
    configuration.timeout = timeout
    return configuration
  }

  /// Adds the store to a new coordinator.
  func context(
    _ model: NSManagedObjectModel, options: [AnyHashable: Any] = [:]
  ) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: OpenPostgresStoreType, configurationName: nil, at: url, options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// Runs work with a context on the store, saves, and closes the store.
  @discardableResult
  func with<Result>(
    _ model: NSManagedObjectModel, options: [AnyHashable: Any] = [:],
    _ work: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let context = try context(model, options: options)
    let result = try context.performAndWait {
      let result = try work(context)
      if context.hasChanges { try context.save() }
      context.reset()
      return result
    }
    let coordinator = context.persistentStoreCoordinator
    try coordinator?.persistentStores.forEach { try coordinator?.remove($0) }
    return result
  }

  private var operations: StoreTypes.MigrationOperations {
    get throws {
      guard let operations = try StoreTypes.opener(of: OpenPostgresStoreType).files?.migration
      else {
        throw TestServer.Failure(description: "The store type has no migration.")
      }
      return operations
    }
  }

  func transition(
    _ old: NSManagedObjectModel, _ new: NSManagedObjectModel
  ) throws -> ModelTransition {
    try .inferred(from: old.compiled(), to: new.compiled())
  }

  func plan(
    _ old: NSManagedObjectModel, _ new: NSManagedObjectModel
  ) throws -> StoreMigrationPlan {
    try operations.plan(configuration, transition(old, new))
  }

  func migrate(
    _ old: NSManagedObjectModel, _ new: NSManagedObjectModel, by way: StoreMigrationPlan.Way? = nil,
    progress: MigrationProgress? = nil
  ) throws {
    try operations.migrate(configuration, transition(old, new), way, progress)
  }

  var identifier: String? {
    get throws {
      try NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: OpenPostgresStoreType, at: url)[NSStoreUUIDKey] as? String
    }
  }
}
