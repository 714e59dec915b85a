internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// What another context, a batch request or another process changed, for the contexts that take it over.
///
/// A value. A save in the same coordinator gives the rows that it wrote; a parent context and notifications name the
/// objects only.
struct ForeignChanges: Sendable {
  /// An object that was changed.
  struct Change: Sendable {
    /// Position of its entity in the model of the coordinator.
    let entityIndex: Int
    /// Position of its store.
    let store: Int
    /// Its key when the changes were announced; a save of the parent may have replaced it since.
    let key: Int64
    /// The row that was saved; nil where only the object is known.
    var row: Row?
  }

  /// Further information about the changes.
  enum Source: Sendable {
    /// What a save wrote: every row, pair and order, of one store.
    case save(joinRows: [ChangeSet.JoinRow], orderings: [ChangeSet.Ordering], store: Int)
    /// Nothing; the newest rows are with the parent, or in the coordinator's row cache.
    case context
    /// Nothing; the newest rows are in the stores, and may not be in the row cache.
    case stores
  }

  private(set) var inserted: [Change]
  private(set) var updated: [Change]
  private(set) var deleted: [Change]
  let source: Source
  /// Whether objects that are faults are announced as refreshed as well.
  let announcesFaults: Bool

  /// What a save wrote to one store.
  init(_ saved: SavedChanges) {
    let position = saved.position
    func change(_ row: Row) -> Change {
      Change(entityIndex: row.entityIndex, store: position, key: row.key, row: row)
    }
    inserted = saved.inserted.map(change)
    updated = saved.updated.map(change)
    for row in saved.recomputed { updated.append(change(row)) }
    deleted = saved.deleted.map {
      Change(entityIndex: Int($0.entityIndex), store: position, key: $0.key)
    }
    source = .save(joinRows: saved.joinRows, orderings: saved.orderings, store: position)
    announcesFaults = false
  }

  /// What happened to objects of a context, for its children.
  init(
    inserted: [NSManagedObject], updated: [NSManagedObject], deleted: [NSManagedObject]
  ) {
    func change(_ object: NSManagedObject) -> Change {
      Change(
        entityIndex: object.compiledEntity.index, store: Int(object.storePosition),
        key: object.key)
    }
    self.inserted = inserted.map(change)
    self.updated = updated.map(change)
    self.deleted = deleted.map(change)
    source = .context
    announcesFaults = false
  }

  /// What a notification says, or a dictionary of the same form; what names no object of the context is omitted.
  ///
  /// - Parameters:
  ///   - info: Arrays or sets of ids, URIs or objects under the keys for objects or for ids.
  ///   - context: The context that takes the changes over; its coordinator reads URIs.
  ///   - source: Where the newest rows are.
  init(_ info: [AnyHashable: Any], for context: NSManagedObjectContext, source: Source) {
    func changes(_ keys: [String]) -> [Change] {
      keys.flatMap { Self.members(of: info[$0]).compactMap { Self.change($0, context) } }
    }
    inserted = changes([NSInsertedObjectsKey, NSInsertedObjectIDsKey])
    updated = changes([
      NSUpdatedObjectsKey, NSUpdatedObjectIDsKey, NSRefreshedObjectsKey, NSRefreshedObjectIDsKey,
    ])
    deleted = changes([NSDeletedObjectsKey, NSDeletedObjectIDsKey])
    self.source = source
    announcesFaults = true
  }

  private static func members(of value: Any?) -> [Any] {
    switch value {
    case let array as [Any]: array
    case let set as Set<NSManagedObject>: Array(set)
    case let set as Set<NSManagedObjectID>: Array(set)
    case let set as Set<AnyHashable>: set.map(\.base)
    case let set as NSSet: set.allObjects
    default: []
    }
  }

  private static func change(_ member: Any, _ context: NSManagedObjectContext) -> Change? {
    var id: NSManagedObjectID?
    switch member {
    case let known as NSManagedObjectID: id = known
    case let object as NSManagedObject: id = object.objectID
    case let url as URL:
      id = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url)
    default: break
    }
    guard let id, let position = context.storePosition(of: id) else { return nil }
    let model = context.model
    let entity =
      id.compiledEntity.isPart(of: model)
      ? id.compiledEntity : model.entity(named: id.compiledEntity.name)
    return entity.map { Change(entityIndex: $0.index, store: position, key: id.key) }
  }
}
