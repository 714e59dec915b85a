internal import Foundation
internal import OpenCoreData
internal import OpenObjectGraph

extension PersistenceController {
  /// Deletes all data; the stack can be used at once. For tests.
  ///
  /// Objects of the main context leave it. Other contexts must not be used during the call, and be reset after it. Call
  /// on the main thread, or while the main thread is free.
  ///
  /// - Throws: `CocoaError` 134090 when another program has a store open; its data is still there then.
  public func reset() throws {
    let context = viewContext
    context.performAndWait { context.reset() }
    let coordinator = container.persistentStoreCoordinator
    for store in coordinator.persistentStores { try empty(store, of: coordinator) }
  }

  private func empty(
    _ store: NSPersistentStore, of coordinator: NSPersistentStoreCoordinator
  ) throws {
    try coordinator.remove(store)
    var failure: (any Error)?
    if let url = store.url {
      do {
        try coordinator.destroyPersistentStore(
          at: url, ofType: store.type, options: store.options)
      } catch {
        failure = error
      }
    }
    let name = store.configurationName
    try coordinator.addPersistentStore(
      ofType: store.type,
      configurationName: name == "PF_DEFAULT_CONFIGURATION_NAME" ? nil : name,
      at: store.url, options: store.options)
    if let failure { throw failure }
  }
}
