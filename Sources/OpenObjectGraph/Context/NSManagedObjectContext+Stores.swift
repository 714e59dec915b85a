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

  /// Moves new objects to the current default store of their entity if their store was removed
  /// from the coordinator, or does not contain their entity.
  ///
  /// If the coordinator has no stores, the method does not throw.
  ///
  /// - Throws: `CocoaError` 134070 if no store contains the entity of an object.
  func placeNewObjects(_ inserted: [NSManagedObject]) throws {
    refreshStores()
    var areAttached = true
    // Consecutive objects usually belong to one store.
    var known = -1
    inserted.forEachBorrowed { object in
      let position = Int(object.storePosition)
      if position == known { return }
      if !registry.isAttached(position) { areAttached = false }
      known = position
    }
    if areAttached, registry.acceptsAllEntities { return }
    for object in inserted {
      let position = object.savedPosition
      if position != Int(object.storePosition) { move(object, to: position) }
    }
    try refuseForeignEntities(of: inserted)
  }

  /// Throws `CocoaError` 134070 if the store of an object does not contain the object's entity.
  private func refuseForeignEntities(of inserted: [NSManagedObject]) throws {
    let refused = inserted.filter { object in
      let position = Int(object.storePosition)
      return registry.isAttached(position)
        && !registry.accepts(object.compiledEntity, at: position)
    }
    if refused.isEmpty { return }
    let names = Set(refused.map { $0.compiledEntity.name }).sorted().joined(separator: ", ")
    throw CocoaError.make(
      .persistentStoreOperation,
      "\(refused.count) new objects cannot be saved because no store's configuration contains their entities: \(names). "
        + "Add a store whose configuration contains the entities, or discard the changes with rollback() or reset().",
      userInfo: [NSAffectedObjectsErrorKey: refused])
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

extension NSManagedObject {
  /// The position of the store that contains the object, or in which a save would insert the
  /// object.
  ///
  /// If the store of a new object was removed or does not contain the object's entity, a save
  /// inserts the object into the current default store of its entity. Objects with a permanent id,
  /// and objects that the application assigned to a store, stay in their store.
  final var savedPosition: Int {
    let position = Int(storePosition)
    guard registration == .inserted, key < 0, !flags.contains(.assigned), let registry,
      !registry.accepts(compiledEntity, at: position)
    else { return position }
    return Int(registry.defaultStorePositions[compiledEntity.index])
  }
}

extension NSPersistentStoreCoordinator {
  /// Whether a store's configuration contains an entity.
  func holds(_ entity: CompiledEntity, in store: NSPersistentStore) -> Bool {
    let name = store.configurationName
    guard name != NSPersistentStore.defaultConfigurationName,
      let members = managedObjectModel.entities(forConfigurationName: name)
    else { return true }
    return members.contains { $0.name == entity.name }
  }

  /// Returns, for each entity in the order of the model, whether a store's configuration contains
  /// the entity; nil if the store contains all entities.
  func heldEntities(in store: NSPersistentStore) -> [Bool]? {
    let name = store.configurationName
    guard name != NSPersistentStore.defaultConfigurationName,
      let members = managedObjectModel.entities(forConfigurationName: name)
    else { return nil }
    let names = Set(members.map(\.name))
    return model.entities.map { names.contains($0.name) }
  }

  /// For each entity, the position of the store for new objects that are not assigned to a store.
  ///
  /// If no writable store contains the entity, this is the position of a store that refuses the
  /// objects when they are saved.
  var defaultStorePositions: [UInt32] {
    let stores = persistentStores
    let writable = stores.filter { !$0.isReadOnly }
    return model.entities.map { entity in
      let store =
        writable.first { holds(entity, in: $0) } ?? stores.first { holds(entity, in: $0) }
        ?? stores.first
      return UInt32(truncatingIfNeeded: store?.position ?? 0)
    }
  }
}
