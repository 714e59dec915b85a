internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// The assignment of permanent ids to inserted objects before a save.
///
/// Each call of `obtainPermanentIDs(for:)` creates its own assignment. If a store fails, the
/// objects of the stores before it keep their permanent ids.
///
/// > Concurrency: Confined to the context's queue.
struct PermanentIDs {
  private let context: NSManagedObjectContext
  /// The new keys, which children of the context must learn.
  private var renames: [ObjectRename] = []

  private init(in context: NSManagedObjectContext) { self.context = context }

  /// Implements `obtainPermanentIDs(for:)`.
  static func assign(
    to objects: [NSManagedObject], in context: NSManagedObjectContext
  ) throws {
    _ = try context.requireStores("permanent id")
    let foreign = objects.first {
      $0.registry !== context.registry && $0.registration != .detached
    }
    if let foreign {
      throw foreign.misuse("A context can obtain permanent ids only for its own objects.", nil)
    }
    var known: Set<ObjectIdentifier> = []
    let inserted = objects.filter {
      $0.registration == .inserted && $0.key < 0 && known.insert(ObjectIdentifier($0)).inserted
    }
    try StorePlacement(context: context).place(inserted)
    var ids = PermanentIDs(in: context)
    defer { context.children.announce(ids.renames) }
    for (position, group) in Dictionary(grouping: inserted, by: { Int($0.storePosition) }) {
      try ids.assign(to: group, at: position)
    }
  }

  /// Assigns permanent ids to objects of one store.
  private mutating func assign(to objects: [NSManagedObject], at position: Int) throws {
    let store = try requireStore(at: position, of: objects)
    if let keys = try store.permanentKeys(for: objects) {
      for (object, key) in zip(objects, keys) { assign(key, to: object) }
      return
    }
    let byRoot = Dictionary(grouping: objects) { $0.compiledEntity.rootIndex }
    let first = try surfacingErrors {
      try store.writes.begin()
      defer { store.writes.end() }
      return try store.backend.reserveKeys(byRoot.mapValues(\.count))
    }
    for (root, members) in byRoot {
      guard var key = first[root] else { continue }
      for object in members {
        assign(key, to: object)
        key += 1
      }
    }
  }

  private mutating func assign(_ key: Int64, to object: NSManagedObject) {
    renames.append(context.move(object, to: Int(object.storePosition), key: key))
  }

  /// Returns the store at a position; throws `CocoaError` 134070 if the coordinator does not have
  /// the store of new objects.
  private func requireStore(
    at position: Int, of objects: [NSManagedObject]
  ) throws -> NSPersistentStore {
    let registry = context.registry
    if registry.isAttached(position), let store = registry.store(at: position) { return store }
    throw CocoaError.make(
      .persistentStoreOperation,
      "\(objects.count) new objects cannot get permanent ids because their store was removed from the coordinator. "
        + "Add the store again, or discard the objects with rollback() or reset().",
      userInfo: [NSAffectedObjectsErrorKey: objects])
  }
}
