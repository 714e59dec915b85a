import Foundation
import OpenCoreData
import OpenPostgresStore

extension NSManagedObjectContext {
  /// Creates a context of a new stack on one store.
  static func opening(
    _ model: NSManagedObjectModel, _ type: String, at url: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSManagedObjectContext {
    PostgresStore.register()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: url, options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// Returns the transactions of the history after a token, without their changes.
  func transactions(
    after token: NSPersistentHistoryToken?
  ) throws -> [NSPersistentHistoryTransaction] {
    try performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      request.resultType = .transactionsOnly
      let result = try execute(request) as? NSPersistentHistoryResult
      return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }
  }
}
