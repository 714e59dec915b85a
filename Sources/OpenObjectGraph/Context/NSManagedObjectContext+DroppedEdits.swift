internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

// Dropping an object's unsaved values, with what they say in the lists of its destinations.

extension NSManagedObjectContext {
  /// Drops all unsaved changes of an object; it counts as unchanged.
  func dropChanges(of object: NSManagedObject) {
    object.edits.forEach { ordinal, edit in restoreLists(of: object, ordinal, edit) }
    object.edits.removeAll()
    object.forgetLoaded()
    unitOfWork.discardUpdate(of: object)
  }

  /// Drops the unsaved value of one property.
  func dropEdit(_ ordinal: Int, of object: NSManagedObject) {
    guard let edit = object.edits[ordinal] else { return }
    restoreLists(of: object, ordinal, edit)
    object.edits.remove(ordinal)
  }

  /// Takes an object out of the list of an unsaved destination, back into that of the stored one.
  private func restoreLists(of object: NSManagedObject, _ ordinal: Int, _ edit: EditValue) {
    let property = object.compiledEntity.properties[ordinal]
    guard let relationship = property.relationship, !relationship.isToMany,
      let inverse = relationship.inverseOrdinal, let slot = property.slot
    else { return }
    if case .object(let destination) = edit {
      destination.extras?.members(inverse)?.forget(object)
    }
    guard object.contents != .unresolved, !object.row.isNull(slot) else { return }
    let stored = registry.identityMap.object(
      store: Int(object.storePosition),
      root: model.entities[relationship.destinationIndex].rootIndex,
      key: registry.presentKey(object.row.integer(at: property.byteOffset)))
    guard let stored, let state = stored.extras?.members(inverse) else { return }
    state.forget(object)
    unload(state, of: stored)
  }
}
