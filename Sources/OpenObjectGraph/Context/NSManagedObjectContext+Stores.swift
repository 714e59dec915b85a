internal import Foundation
internal import OpenObjectModel

// The stores of a context, and the assignment of objects to them.

extension NSManagedObjectContext {
  /// Implements `assign(_:to:)`.
  final func place(_ object: Any, in store: NSPersistentStore) {
    refreshStores()
    do throws(ObjectError) {
      try StoreAssignment(of: object, to: store, in: self)?.run()
    } catch {
      deferredErrors.note(error)
    }
  }

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
      formerStore: Int(object.storePosition), store: position,
      root: object.compiledEntity.rootIndex, temporaryKey: object.key, key: key)
    registry.identityMap.remove(
      address: UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()),
      store: rename.formerStore, root: rename.root, key: rename.temporaryKey)
    object.storePosition = UInt32(truncatingIfNeeded: position)
    object.key = key
    object.cachedID = nil
    registry.identityMap.insert(object, store: position, root: rename.root, key: key)
    return rename
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

  /// The number of loaded to-many relationships that merges and rollbacks have examined: a measure
  /// of the cost of merges and rollbacks.
  package var visitedListCount: Int { registry.loadedLists.visitCount }
}
