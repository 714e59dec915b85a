internal import OpenObjectModel

/// The assignment of an inserted object to a store.
///
/// Created for one call of `assign(_:to:)`, and only if the store can save the object.
///
/// > Concurrency: Confined to the context's queue.
struct StoreAssignment {
  private let context: NSManagedObjectContext
  private let object: NSManagedObject
  /// The store's position among the coordinator's stores.
  private let position: Int

  /// Implements `assign(_:to:)`.
  static func assign(
    _ object: Any, to store: NSPersistentStore, in context: NSManagedObjectContext
  ) {
    context.refreshStores()
    do throws(ObjectError) {
      try StoreAssignment(of: object, to: store, in: context)?.run()
    } catch {
      context.deferredErrors.note(error)
    }
  }

  /// Checks that the object can be saved in the store; nil if the object already belongs to it.
  ///
  /// - Throws: `ObjectError` with the reason if the store cannot save the object.
  private init?(
    of object: Any, to store: NSPersistentStore, in context: NSManagedObjectContext
  ) throws(ObjectError) {
    guard let object = object as? NSManagedObject, object.registry === context.registry else {
      throw ObjectError("Only objects in the context can be assigned to a store.")
    }
    // An object with a permanent id keeps its id, and therefore its store.
    guard object.registration == .inserted, object.key <= 0 else {
      let own = context.registry.store(at: Int(object.storePosition))
      if own === store, object.registration != .detached { return nil }
      throw ObjectError("Can't reassign an object to a different store once it has been saved.")
    }
    let coordinator = context.persistentStoreCoordinator
    guard let coordinator, let position = coordinator.position(of: store),
      context.registry.store(at: position) === store
    else {
      throw ObjectError(
        "Can't assign an object to a store that does not belong to the context's coordinator.")
    }
    guard coordinator.holds(object.compiledEntity, in: store) else {
      throw ObjectError(
        "Can't assign an object to a store that does not contain the object's entity: "
          + "\(object.compiledEntity.name) is not in the configuration \(store.configurationName).")
    }
    self.context = context
    self.object = object
    self.position = position
  }

  private func run() {
    let rename = context.move(object, to: position, key: object.key)
    object.noteAssigned()
    context.children.announce([rename])
  }
}
