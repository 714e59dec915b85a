public import Foundation
internal import OpenObjectModel

// The assignment of objects to stores, and the maximum age of cached rows.

extension NSManagedObjectContext {
  /// Sets the store in which a new object is saved.
  ///
  /// By default, an object is saved in the first writable store whose configuration contains the
  /// object's entity. If the object is already saved in another store, or if the store belongs to
  /// another coordinator or does not contain the entity, the method changes nothing, and the next
  /// save throws `ObjectError`. If the object is already saved in `store`, the method does nothing.
  ///
  /// - Parameters:
  ///   - object: An inserted `NSManagedObject` of this context.
  ///   - store: A store of the context's coordinator.
  /// > Reference: Apple, assign(_:to:).
  public func assign(_ object: Any, to store: NSPersistentStore) {
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

  func move(_ object: NSManagedObject, to position: Int) {
    let root = object.compiledEntity.rootIndex
    registry.identityMap.remove(
      address: UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()),
      store: Int(object.storePosition), root: root, key: object.key)
    object.storePosition = UInt32(truncatingIfNeeded: position)
    object.cachedID = nil
    registry.identityMap.insert(object, store: position, root: root, key: object.key)
  }

  /// The maximum age, in seconds, of a cached row that a fault or a refresh may use.
  ///
  /// With -1, the default, a cached row of any age may be used. With 0, rows are always read from
  /// the store.
  ///
  /// > Reference: Apple, stalenessInterval.
  public var stalenessInterval: TimeInterval {
    get { source.stalenessInterval }
    set { source.stalenessInterval = newValue }
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
