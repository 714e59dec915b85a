internal import OpenObjectModel
internal import OpenStoreContract
internal import Synchronization

/// The entities of which somebody watches a context's results, by their roots.
///
/// A merge tells of objects of such entities also when the context did not know them, because they may match now.
/// Shared by threads: results may be let go of on any.
final class ObservedEntities: Sendable {
  /// Where the results are that somebody watches, or what they have to know besides.
  enum Level: Hashable {
    case own, child
    /// Results of the context itself that leave out objects before them: deletions of those move them.
    case offset
  }

  private struct Watched: Hashable {
    let root: Int
    let level: Level
  }

  private let watchers = Mutex<[Watched: Int]>([:])

  func contains(root: Int, _ level: Level) -> Bool {
    watchers.withLock { $0[Watched(root: root, level: level)] != nil }
  }

  func add(root: Int, _ level: Level) {
    watchers.withLock { $0[Watched(root: root, level: level), default: 0] += 1 }
  }

  func remove(root: Int, _ level: Level) {
    let watched = Watched(root: root, level: level)
    watchers.withLock { watchers in
      let count = (watchers[watched] ?? 1) - 1
      watchers[watched] = count > 0 ? count : nil
    }
  }
}

extension NSManagedObjectContext {
  /// Whether results of an entity's objects are watched, here or in a child context.
  func isObserved(_ entity: CompiledEntity) -> Bool {
    observedEntities.contains(root: entity.rootIndex, .own)
      || observedEntities.contains(root: entity.rootIndex, .child)
  }

  /// An object that was deleted elsewhere and is not registered, for results of a child that may have it, and for results
  /// that it stood before.
  func observedDeletion(of entity: CompiledEntity, key: Int64, store: Int) -> NSManagedObject? {
    guard
      observedEntities.contains(root: entity.rootIndex, .child)
        || observedEntities.contains(root: entity.rootIndex, .offset)
    else { return nil }
    return registered(entity, key: key, store: store)
  }

  /// As ``observedDeletion(of:key:store:)``, by id.
  func observedDeletion(of id: NSManagedObjectID) -> NSManagedObject? {
    guard id.compiledEntity.isPart(of: model), let position = storePosition(of: id) else {
      return nil
    }
    return observedDeletion(of: id.compiledEntity, key: id.key, store: position)
  }

  /// An object that is not registered yet, for results that it may belong to.
  func observedObject(for id: NSManagedObjectID) -> NSManagedObject? {
    guard id.compiledEntity.isPart(of: model), isObserved(id.compiledEntity) else { return nil }
    return object(with: id)
  }

  /// The object of a saved row that is not registered yet, for results that it may belong to.
  func observedObject(of row: Row, store: Int) -> NSManagedObject? {
    let entity = model.entities[row.entityIndex]
    return isObserved(entity) ? registered(entity, key: row.key, store: store) : nil
  }
}
