internal import Foundation
internal import OpenCoreData
internal import OpenObjectGraph

extension PersistenceController {
  /// Deletes all data of the stack, for example in tests.
  ///
  /// The main context is reset, which detaches its objects, and the stack can be used immediately
  /// afterwards. Do not use other contexts during the call, and reset all other contexts
  /// afterwards. Call this method on the main thread, or while the main thread is not blocked.
  ///
  /// - Throws: `CocoaError` 134090 if another program has a store open. This store and the stores
  ///   after it in the coordinator then keep their data; the stores before it have already lost
  ///   their data. If the store then cannot be reopened either, the thrown error contains the error
  ///   of the reopening under `NSUnderlyingErrorKey`, and the store remains closed.
  public func reset() throws {
    let context = viewContext
    context.performAndWait { context.reset() }
    for store in container.persistentStoreCoordinator.persistentStores {
      try reopening(store) { url, coordinator in
        try coordinator.destroyPersistentStore(at: url, ofType: store.type, options: store.options)
      }
    }
  }

  /// Closes a store, changes its file, and opens the store again, even if the change failed.
  func reopening(
    _ store: NSPersistentStore, _ change: (URL, NSPersistentStoreCoordinator) throws -> Void
  ) throws {
    let coordinator = container.persistentStoreCoordinator
    try coordinator.remove(store)
    var failure: (any Error)?
    if let url = store.url {
      do { try change(url, coordinator) } catch { failure = error }
    }
    do {
      try coordinator.addPersistentStore(
        ofType: store.type, configurationName: openedConfiguration(of: store), at: store.url,
        options: store.options)
    } catch {
      throw failure.map { closed(store, after: $0, error) } ?? error
    }
    if let failure { throw failure }
  }

  /// Returns the error for a store that could not be changed and then could not be reopened. The
  /// result is the error of the change, with the error of the reopening under
  /// `NSUnderlyingErrorKey`.
  private func closed(
    _ store: NSPersistentStore, after failure: any Error, _ error: any Error
  ) -> any Error {
    let cause = failure as? CocoaError
    var userInfo = cause?.userInfo ?? [:]
    userInfo[NSUnderlyingErrorKey] = error
    return CocoaError.make(
      cause?.code ?? .persistentStoreOpen,
      "\(failure.localizedDescription) The store is closed, because it cannot be opened again: \(error.localizedDescription)",
      path: store.url?.path, userInfo: userInfo)
  }

  /// Returns the name of the model configuration that a store was opened with; nil if the store was
  /// opened with all entities.
  func openedConfiguration(of store: NSPersistentStore) -> String? {
    let name = store.configurationName
    return name == "PF_DEFAULT_CONFIGURATION_NAME" ? nil : name
  }
}
