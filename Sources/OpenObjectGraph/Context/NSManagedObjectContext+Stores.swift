internal import Foundation
internal import OpenObjectModel

// The stores of a context, and the places of objects in them.

extension NSManagedObjectContext {
  /// Reads the coordinator's stores again if any store was added or removed.
  func refreshStores() {
    borrowing(persistentStoreCoordinator) { coordinator in
      borrowing(registry) { $0.refresh(from: coordinator) }
    }
  }

  /// Moves an object to another store or another key in the identity map, and returns the move.
  @discardableResult
  func move(_ object: NSManagedObject, to position: Int, key: Int64) -> ObjectRename {
    let rename = ObjectRename(
      store: position, root: object.compiledEntity.rootIndex, temporaryKey: object.key, key: key)
    registry.remove(object)
    object.storePosition = UInt32(truncatingIfNeeded: position)
    object.key = key
    object.cachedID = nil
    registry.identityMap.insert(object, store: position, root: rename.root, key: key)
    return rename
  }

  /// Moves a registered object to the newest place that an ancestor assigned to a temporary key.
  ///
  /// The parent does not find the object while the context moves it. If the parent assigns another
  /// place during the move, the registry of the context notes only the place, so the context moves
  /// the object again.
  func moveToPresentPlace(_ object: NSManagedObject, ofKey temporaryKey: Int64) {
    while true {
      let former = Int(object.storePosition)
      let place = registry.presentPlace(ofKey: temporaryKey, at: former)
      if place.store == former, place.key == object.key { break }
      move(object, to: place.store, key: place.key)
    }
    if object.registration != .inserted, let extras = object.extras {
      registry.noteLists(of: object, extras)
    }
  }

  /// Returns the coordinator, or throws if the context has none.
  func requireCoordinator() throws -> NSPersistentStoreCoordinator {
    guard let coordinator = persistentStoreCoordinator else {
      throw CocoaError.make(
        .coreData,
        "The context has no persistent store coordinator. Set a coordinator before you use the context."
      )
    }
    registry.refresh(from: coordinator)
    return coordinator
  }

  /// Returns the stores of the coordinator, or throws if there are none.
  func requireStores(_ action: String) throws -> [NSPersistentStore] {
    try requireCoordinator().requireStores(action)
  }
}
