public import Foundation
internal import OpenObjectModel

// Which store an object goes to, and how old a cached row may be.

extension NSManagedObjectContext {
  /// Sets the store in which a new object is saved.
  ///
  /// By default, an object is saved in the first writable store whose configuration has its entity. For a saved
  /// object, a store of another coordinator or a store without the entity, the call changes nothing and the next save
  /// throws.
  ///
  /// > Reference: Apple, assign(_:to:).
  public func assign(_ object: Any, to store: NSPersistentStore) {
    do throws(ObjectError) {
      try StoreAssignment(of: object, to: store, in: self).run()
    } catch {
      deferredErrors.note(error)
    }
  }

  /// Takes over stores that were added and removed since the context last looked.
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
  /// -1, the default: any age. 0: rows are always read from the store.
  ///
  /// > Reference: Apple, stalenessInterval.
  public var stalenessInterval: TimeInterval {
    get { source.stalenessInterval }
    set { source.stalenessInterval = newValue }
  }

  /// The coordinator, or the error that says that there is none.
  func requireCoordinator() throws -> NSPersistentStoreCoordinator {
    guard let coordinator = persistentStoreCoordinator else {
      throw CocoaError.make(
        .coreData, "The context has no persistent store coordinator. Set one before using it.")
    }
    registry.refresh(from: coordinator)
    return coordinator
  }

  /// The stores of the coordinator.
  func requireStores(_ action: String) throws -> [NSPersistentStore] {
    try requireCoordinator().requireStores(action)
  }

  /// How many loaded lists merges and rollbacks have looked at, to see what they cost.
  package var visitedListCount: Int { registry.loadedLists.visitCount }
}

extension NSPersistentStoreCoordinator {
  /// Whether a store's configuration has an entity.
  func holds(_ entity: CompiledEntity, in store: NSPersistentStore) -> Bool {
    let name = store.configurationName
    guard name != NSPersistentStore.defaultConfigurationName,
      let members = managedObjectModel.entities(forConfigurationName: name)
    else { return true }
    return members.contains { $0.name == entity.name }
  }

  /// Where new objects of each entity go unless they are assigned elsewhere.
  var defaultStorePositions: [UInt32] {
    let stores = persistentStores.filter { !$0.isReadOnly }
    return model.entities.map { entity in
      let store = stores.first { holds(entity, in: $0) }
      return UInt32(truncatingIfNeeded: store?.position ?? 0)
    }
  }
}
