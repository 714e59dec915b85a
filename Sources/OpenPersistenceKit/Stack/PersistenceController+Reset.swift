internal import Foundation
internal import OpenCoreData
internal import OpenObjectGraph

extension PersistenceController {
  /// Deletes all data; the stack can be used immediately. For tests.
  ///
  /// Objects of the main context become detached. Do not use other contexts during the call, and reset them
  /// afterwards. Call on the main thread, or while the main thread is free.
  ///
  /// - Throws: `CocoaError` 134090 if another program has a store open; its data is then kept.
  public func reset() throws {
    let context = viewContext
    context.performAndWait { context.reset() }
    for store in container.persistentStoreCoordinator.persistentStores {
      try reopening(store) { url, coordinator in
        try coordinator.destroyPersistentStore(at: url, ofType: store.type, options: store.options)
      }
    }
  }

  /// Closes a store, changes its file, and opens it again, even when the change failed.
  func reopening(
    _ store: NSPersistentStore, _ change: (URL, NSPersistentStoreCoordinator) throws -> Void
  ) throws {
    let coordinator = container.persistentStoreCoordinator
    try coordinator.remove(store)
    var failure: (any Error)?
    if let url = store.url {
      do { try change(url, coordinator) } catch { failure = error }
    }
    try coordinator.addPersistentStore(
      ofType: store.type, configurationName: openedConfiguration(of: store), at: store.url,
      options: store.options)
    if let failure { throw failure }
  }

  /// The configuration that a store was opened with; nil for all entities.
  func openedConfiguration(of store: NSPersistentStore) -> String? {
    let name = store.configurationName
    return name == "PF_DEFAULT_CONFIGURATION_NAME" ? nil : name
  }
}
