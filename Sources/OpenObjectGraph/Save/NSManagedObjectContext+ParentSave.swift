internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

// Saving a child context: its changes become unsaved changes of the parent. Nothing reaches a store, the parent
// validates nothing, and there are no conflicts: the child's values are the newer ones.

extension NSManagedObjectContext {
  /// Hands the pending changes to the parent, and makes this context's objects clean.
  func save(_ changes: SaveSet, into parent: NSManagedObjectContext) throws {
    adoptRenames()
    var builder = ChangeSetBuilder(share: changes, metadata: nil, raisesVersions: false)
    try reporting { _ = try builder.make([:]) }
    parent.performAndWait {
      parent.loadingFreely {
        parent.accept(changes, from: self)
        for object in guardedObjects.values { parent.guardCounterpart(of: object) }
      }
    }
    for packed in builder.rows { adopt(packed.row, by: packed.object) }
    becomeClean(changes)
  }

  /// Takes a child's changes over as changes of its own, which it announces at once.
  private func accept(_ changes: SaveSet, from child: NSManagedObjectContext) {
    registry.refreshStores(from: persistentStoreCoordinator)
    let inserted = changes.inserted.map { (child: $0, own: insertion(of: $0)) }
    let updated = changes.updated.compactMap { object in
      counterpart(of: object).map { (child: object, own: $0) }
    }
    for (child, own) in inserted + updated { takeEdits(of: child, own) }
    var deleted: [NSManagedObject] = []
    for object in changes.deleted where !object.flags.contains(.missingRow) {
      guard let own = counterpart(of: object) else { continue }
      delete(own)
      deleted.append(own)
    }
    processPendingChanges()
    announceToChildren(
      inserted: inserted.map(\.own), updated: updated.map(\.own), deleted: deleted, except: child)
  }

  private func guardCounterpart(of object: NSManagedObject) {
    guard object.registration == .persistent, let own = counterpart(of: object) else { return }
    detectConflicts(for: own)
  }

  /// The object of this context for an object of a child; nil for an unsaved one that this context forgot.
  private func counterpart(of object: NSManagedObject) -> NSManagedObject? {
    let key = registry.presentKey(object.key)
    let position = Int(object.storePosition)
    if key > 0 || parentContext != nil {
      return registered(object.compiledEntity, key: key, store: position)
    }
    return registry.identityMap.object(
      store: position, root: object.compiledEntity.rootIndex, key: key)
  }

  /// The object for one of a child, unless it is deleted here: a child's relationships do not bring it back.
  private func presentCounterpart(of object: NSManagedObject) -> NSManagedObject? {
    counterpart(of: object).flatMap { $0.isPresent ? $0 : nil }
  }

  /// Inserts an object with the id that the child's object has; its `awakeFromInsert` ran there.
  private func insertion(of object: NSManagedObject) -> NSManagedObject {
    let entity = object.compiledEntity
    let position = Int(object.storePosition)
    let known = registry.identityMap.object(
      store: position, root: entity.rootIndex, key: object.key)
    if let known { return known }
    let own = materialize(entity.index)
    own.registry = registry
    own.registration = .inserted
    own.key = object.key
    own.storePosition = object.storePosition
    registerInserted(own)
    return own
  }

  private func takeEdits(of object: NSManagedObject, _ own: NSManagedObject) {
    own.realizeIfNeeded()
    guard own.registration != .deleted else { return }
    object.edits.forEach { ordinal, edit in
      switch edit {
      case .object(let destination):
        own.setDestination(presentCounterpart(of: destination), ordinal)
      case .value(.null) where own.compiledEntity.properties[ordinal].relationship != nil:
        own.setDestination(nil, ordinal)
      case .value, .boxed:
        own.extras?.values[ordinal] = nil
        own.setEdit(edit, ordinal)
      }
    }
    object.extras?.forEachMembers { state in
      if state.isEdited { takeMembers(state, own) }
    }
    own.markChanged()
  }

  private func takeMembers(_ state: ToManyState, _ own: NSManagedObject) {
    for member in state.removed.objects where member.registration != .deleted {
      if let member = presentCounterpart(of: member) { own.removeMember(member, state.ordinal) }
    }
    for member in state.added.objects {
      if let member = presentCounterpart(of: member) { own.addMember(member, state.ordinal) }
    }
    guard state.isOrdered, let members = state.members else { return }
    let order = members.objects.filter { $0.registration != .deleted }.compactMap(
      presentCounterpart)
    if own.loadedMembers(state.ordinal).reorder(order) { own.markChanged() }
  }
}
