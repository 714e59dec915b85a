internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// The coordinator and the context of one side of a migration.
///
/// The objects do not have classes of the application, because such a class may match only another
/// version of its entity.
struct MigrationStack {
  let model: NSManagedObjectModel
  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext

  init(_ model: NSManagedObjectModel, name: String) {
    let copy = model.copy() as? NSManagedObjectModel ?? NSManagedObjectModel()
    copy.usesPlainObjects = true
    self.model = copy
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: copy)
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.name = name
    context.undoManager = nil
    context.persistentStoreCoordinator = coordinator
  }

  /// Releases all objects and closes all stores.
  func close() throws {
    context.performAndWait { context.reset() }
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }
}
