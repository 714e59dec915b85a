internal import OpenObjectModel
internal import OpenStoreContract

extension NSIncrementalStore {
  /// Removes the rows of objects from the row cache.
  ///
  /// Call this method if the store has returned other values for the objects. Faults then request
  /// their values from the store. Objects that are not faults keep their values.
  ///
  /// - Parameter ids: The ids of objects in the store.
  /// > Concurrency: Usable on any thread.
  package final func forgetCachedRows(of ids: [NSManagedObjectID]) {
    guard !ids.isEmpty, let model = persistentStoreCoordinator?.model else { return }
    let keys = ids.map { ObjectKey(entityIndex: $0.compiledEntity.index, key: $0.key) }
    removeOutdatedRows(keys, model)
  }
}
