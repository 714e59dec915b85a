internal import OpenObjectModel

// Objects whose store is not the coordinator's any more.

extension NSManagedObjectContext {
  /// Takes over stores that were added and removed since the context last looked.
  func refreshStores() { registry.refreshStores(from: persistentStoreCoordinator) }

  /// Moves new objects whose default store was removed to the store that they would go to if they were inserted now.
  ///
  /// Objects with a row or a permanent id, and objects that the application assigned to a store, belong to that store:
  /// a save that cannot reach it throws.
  func moveNewObjectsOfRemovedStores() {
    refreshStores()
    let inserted = unitOfWork.inserted
    var areAttached = true
    // Objects that follow each other mostly have one store.
    var known = -1
    inserted.forEachBorrowed { object in
      let position = Int(object.storePosition)
      if position == known { return }
      if !registry.isAttached(position) { areAttached = false }
      known = position
    }
    if areAttached { return }
    for object in inserted
    where object.key < 0 && !object.flags.contains(.assigned)
      && !registry.isAttached(Int(object.storePosition))
    {
      move(object, to: Int(registry.defaultStorePositions[object.compiledEntity.index]))
    }
  }
}
