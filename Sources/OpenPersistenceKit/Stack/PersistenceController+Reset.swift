internal import Foundation
internal import OpenCoreData
internal import OpenObjectGraph

extension PersistenceController {
  /// Deletes all data of the stack, for example in tests.
  ///
  /// The method resets the main context; the reset detaches the context's objects. You can use the
  /// stack as soon as the method returns. Do not use other contexts during the call, and reset all
  /// other contexts afterward. If you call this method on a thread other than the main thread, do
  /// not block the main thread during the call.
  ///
  /// - Throws: `CocoaError` 134090 if another program has a store open; any other error that
  ///   `NSPersistentStoreCoordinator.destroyPersistentStore(at:ofType:options:)` throws. The store
  ///   that caused the error, and all later stores of the coordinator, then keep their data; all
  ///   earlier stores have already lost their data.
  ///
  ///   The method also throws any error that occurs while a store is closed or reopened. If
  ///   deleting the data and reopening the store both fail, the store remains closed. The thrown
  ///   error then contains the reopening error under `NSUnderlyingErrorKey` and both errors under
  ///   `NSDetailedErrorsKey`.
  public func reset() throws {
    let context = viewContext
    context.performAndWait { context.reset() }
    for store in container.persistentStoreCoordinator.persistentStores {
      try reopening(store) { url, coordinator in
        // Closing a store at /dev/null deletes its data. There can be several such stores.
        guard url.path != "/dev/null" else { return }
        try coordinator.destroyPersistentStore(at: url, ofType: store.type, options: store.options)
      }
    }
  }

  /// Closes a store, changes its file, and opens the store again, even if the change failed.
  func reopening(
    _ store: NSPersistentStore, _ change: (URL, NSPersistentStoreCoordinator) throws -> Void
  ) throws {
    let coordinator = container.persistentStoreCoordinator
    try coordinator.reopening(store) {
      if let url = store.url { try change(url, coordinator) }
    }
  }
}
