internal import Foundation
internal import OpenObjectModel

/// The choice of the stores in which new objects are saved.
///
/// > Concurrency: Confined to the context's queue.
struct StorePlacement {
  let context: NSManagedObjectContext

  /// Moves new objects to the current default store of their entity if their store was removed
  /// from the coordinator, is read-only, or does not contain their entity.
  ///
  /// If the coordinator has no stores, the method does not throw.
  ///
  /// - Throws: `CocoaError` 134070 if no store contains the entity of an object.
  func place(_ inserted: [NSManagedObject]) throws {
    context.refreshStores()
    let registry = context.registry
    var areWritable = true
    // Consecutive objects usually belong to one store.
    var known = -1
    inserted.forEachBorrowed { object in
      let position = Int(object.storePosition)
      if position == known { return }
      if !registry.isWritable(position) { areWritable = false }
      known = position
    }
    if areWritable, registry.acceptsAllEntities { return }
    var renames: [ObjectRename] = []
    for object in inserted {
      let position = object.savedPosition
      if position == Int(object.storePosition) { continue }
      renames.append(context.move(object, to: position, key: object.key))
    }
    context.children.announce(renames)
    try refuseForeignEntities(of: inserted)
  }

  /// Throws `CocoaError` 134070 if the store of an object does not contain the object's entity.
  private func refuseForeignEntities(of inserted: [NSManagedObject]) throws {
    let registry = context.registry
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
}

extension NSManagedObject {
  /// The position of the store that contains the object, or in which a save would insert the
  /// object.
  ///
  /// If the store of a new object was removed, is read-only, or does not contain the object's
  /// entity, a save inserts the object into the current default store of its entity. Objects with a
  /// permanent id, and objects that the application assigned to a store, stay in their store.
  final var savedPosition: Int {
    let position = Int(storePosition)
    guard registration == .inserted, key < 0, !flags.contains(.assigned), let registry,
      !registry.isWritable(position) || !registry.accepts(compiledEntity, at: position)
    else { return position }
    return Int(registry.defaultStorePositions[compiledEntity.index])
  }
}

extension NSPersistentStoreCoordinator {
  /// Whether a store's configuration contains an entity.
  func holds(_ entity: CompiledEntity, in store: NSPersistentStore) -> Bool {
    heldEntities(in: store)?[entity.index] ?? true
  }

  /// Returns, for each entity in the order of the model, whether a store's configuration contains
  /// the entity; nil if the store contains all entities.
  ///
  /// - Parameter store: A store of the coordinator.
  package func heldEntities(in store: NSPersistentStore) -> [Bool]? {
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
    let stores = persistentStores.map { (store: $0, held: heldEntities(in: $0)) }
    let writableFirst =
      stores.filter { !$0.store.isReadOnly } + stores.filter { $0.store.isReadOnly }
    return model.entities.indices.map { index in
      let chosen = writableFirst.first { $0.held?[index] ?? true } ?? stores.first
      return UInt32(truncatingIfNeeded: chosen?.store.position ?? 0)
    }
  }
}
