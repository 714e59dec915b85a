internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// Changes by another context, a batch request or another process, for contexts that merge them.
///
/// A save in the same coordinator provides the rows that it wrote. A parent context and
/// notifications provide only the objects' keys.
struct ForeignChanges: Sendable {
  /// A changed object.
  struct Change: Sendable {
    /// The position of the object's entity in the coordinator's model.
    let entityIndex: Int
    /// The position of the object's store.
    let store: Int
    /// The key when the changes were announced; a save of the parent may have replaced it since.
    let key: Int64
    /// The saved row; nil if only the object is known.
    var row: Row?
  }

  /// The source of the changes, which determines where the newest rows are.
  enum Source: Sendable {
    /// A save: every row, join row and order that the save wrote to one store.
    case save(joinRows: [ChangeSet.JoinRow], orderings: [ChangeSet.Ordering], store: Int)
    /// A context: the newest rows are in the parent or in the coordinator's row cache.
    case context
    /// Stores: the newest rows are in the stores and may be missing from the row cache.
    case stores
  }

  private(set) var inserted: [Change]
  private(set) var updated: [Change]
  private(set) var deleted: [Change]
  let source: Source
  /// Whether objects that are faults are also announced as refreshed.
  let announcesFaults: Bool

  /// Creates the changes that a save wrote to one store.
  init(_ saved: SavedChanges) {
    let position = saved.position
    func change(_ row: Row) -> Change {
      Change(entityIndex: row.entityIndex, store: position, key: row.key, row: row)
    }
    func rowlessChange(_ id: ObjectKey) -> Change {
      Change(entityIndex: Int(id.entityIndex), store: position, key: id.key)
    }
    inserted = saved.inserted.map(change)
    updated = saved.updated.map(change)
    for row in saved.recomputed { updated.append(change(row)) }
    for id in saved.unread { updated.append(rowlessChange(id)) }
    deleted = saved.deleted.map(rowlessChange)
    source = .save(joinRows: saved.joinRows, orderings: saved.orderings, store: position)
    announcesFaults = false
  }

  /// Creates the changes to objects of a context, for its children.
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

  /// Creates the changes in a notification's user info or in a dictionary of the same form.
  ///
  /// Values that do not identify an object of the context are ignored.
  ///
  /// - Parameters:
  ///   - info: Arrays or sets of ids, URIs or objects, under the keys for objects or for ids.
  ///   - context: The context that merges the changes; its coordinator converts URIs to ids.
  ///   - source: The location of the newest rows.
  init(_ info: [AnyHashable: Any], for context: NSManagedObjectContext, source: Source) {
    func changes(_ keys: [String]) -> [Change] {
      keys.flatMap { Self.members(of: info[$0]).compactMap { Self.change($0, context) } }
    }
    inserted = changes([NSInsertedObjectsKey, NSInsertedObjectIDsKey])
    updated = changes([
      NSUpdatedObjectsKey, NSUpdatedObjectIDsKey, NSRefreshedObjectsKey, NSRefreshedObjectIDsKey,
      NSInvalidatedObjectsKey, NSInvalidatedObjectIDsKey, NSInvalidatedAllObjectsKey,
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
    case let object as NSManagedObject: id = object.currentID
    case let url as URL:
      id = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url)
    default: break
    }
    guard let id, let position = ObjectLookup.storePosition(of: id, in: context) else { return nil }
    let model = context.model
    let entity =
      id.compiledEntity.isPart(of: model)
      ? id.compiledEntity : model.entity(named: id.compiledEntity.name)
    return entity.map { Change(entityIndex: $0.index, store: position, key: id.key) }
  }
}

// MARK: Rows that lost a destination

extension ForeignChanges {
  /// The place of an object in the stores of a coordinator.
  private struct Place: Hashable {
    let store: Int
    let root: Int
    let key: Int64
  }

  /// Adds the registered objects whose rows refer to deleted objects, if deleting these objects
  /// empties the relationships.
  ///
  /// The result of a batch deletion does not contain the ids of rows that lost a destination.
  mutating func addReferringObjects(in registry: ContextRegistry) {
    guard case .stores = source, !deleted.isEmpty else { return }
    let entities = registry.model.entities
    func place(_ change: Change) -> Place {
      Place(store: change.store, root: entities[change.entityIndex].rootIndex, key: change.key)
    }
    let gone = Set(deleted.map(place))
    let roots = Set(gone.map(\.root))
    let columns = entities.map { entity in
      entity.properties.filter { Self.isEmptied($0, byDeletionsIn: roots, registry.model) }
    }
    if columns.allSatisfy(\.isEmpty) { return }
    let known = gone.union((inserted + updated).map(place))
    for object in registry.identityMap.all() where object.contents != .fault {
      let entity = object.compiledEntity
      let change = Change(
        entityIndex: entity.index, store: Int(object.storePosition), key: object.key)
      let refers = columns[entity.index].contains { property in
        Self.destination(of: property, in: object, entities).map { gone.contains($0) } ?? false
      }
      if refers, !known.contains(place(change)) { updated.append(change) }
    }
  }

  /// Returns whether a property is a to-one relationship that a nullify rule empties when objects
  /// of any of the given root entities are deleted.
  private static func isEmptied(
    _ property: CompiledProperty, byDeletionsIn roots: Set<Int>, _ model: CompiledModel
  ) -> Bool {
    guard property.slot != nil, let relationship = property.relationship,
      let inverse = model.inverse(of: relationship)?.relationship
    else { return false }
    return inverse.deleteRule == .nullify
      && roots.contains(model.entities[relationship.destinationIndex].rootIndex)
  }

  /// Returns the place to which a to-one relationship refers in the row of an object; nil for null.
  private static func destination(
    of property: CompiledProperty, in object: NSManagedObject, _ entities: [CompiledEntity]
  ) -> Place? {
    guard let slot = property.slot, let relationship = property.relationship,
      !object.view.isNull(slot)
    else { return nil }
    return Place(
      store: Int(object.storePosition), root: entities[relationship.destinationIndex].rootIndex,
      key: object.view.integer(at: property.byteOffset))
  }
}
