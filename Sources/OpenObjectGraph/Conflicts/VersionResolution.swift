internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Applies a merge policy to objects whose rows changed, to references to deleted rows, and to
/// remaining references to rows that the save deletes.
struct VersionResolution {
  let type: NSMergePolicyType

  private var storeWins: Bool {
    type == .mergeByPropertyStoreTrumpMergePolicyType || type == .rollbackMergePolicyType
  }

  /// Changes the objects so that a retry can succeed.
  ///
  /// - Throws: Before any change, `CocoaError` 133020 if a mandatory relationship loses its
  ///   destination, and 1570 or 1600 if a delete rule cannot be applied. `StoreError` if rows
  ///   cannot be read.
  func apply(to conflicts: [NSMergeConflict]) throws {
    for conflict in conflicts { try check(conflict) }
    guard let context = conflicts.lazy.compactMap({ $0.sourceObject.context }).first else { return }
    for conflict in conflicts { takeRow(of: conflict, context) }
    var pairs = PairSettlement(storeWins ? .stored : .unsaved, in: context)
    for object in context.unitOfWork.updated { pairs.note(object) }
    for conflict in conflicts { try apply(to: conflict) }
    pairs.settle()
    for conflict in conflicts {
      guard case .version = conflict.cause else { continue }
      SnapshotEvents.announce(.mergePolicy, to: conflict.sourceObject)
    }
  }

  private func check(_ conflict: NSMergeConflict) throws {
    switch conflict.cause {
    case .version: return
    case .lostDestination(let references):
      guard references.allSatisfy({ $0.isDispensable(restoresStored: storeWins) }) else {
        throw NSMergePolicy.failure(of: [conflict])
      }
    case .remainingReferences(let references): try references.check()
    }
  }

  /// Turns an inserted object into a saved object, because the store has a row with the object's
  /// key.
  ///
  /// This happens when two contexts undo the same saved deletion. The object and the row have no
  /// common former state, so the result has either all values of the object or all values of the
  /// row.
  private func takeRow(of conflict: NSMergeConflict, _ context: NSManagedObjectContext) {
    let object = conflict.sourceObject
    guard object.registration == .inserted, let row = conflict.storedRow else { return }
    context.unitOfWork.move(object, by: .comeBack)
    if storeWins {
      ObjectRefresh(in: context).dropChanges(of: object)
      return context.memberships.replaceRow(of: object, with: row)
    }
    context.unitOfWork.update(object)
    keepValues(of: object, over: row, context)
    object.extras?.forEachMembers { context.memberships.unload($0, of: object) }
  }

  private func apply(to conflict: NSMergeConflict) throws {
    let object = conflict.sourceObject
    guard let context = object.context else { return }
    switch conflict.cause {
    case .lostDestination(let references):
      for reference in references { reference.drop(object, restoresStored: storeWins) }
      MissingRow.accept(of: [object], in: context)
    case .remainingReferences(let references):
      try references.apply()
    case .version:
      guard conflict.newVersionNumber != 0 else {
        return MissingRow.note(of: object, in: context)
      }
      if let row = conflict.storedRow {
        rebase(object, on: row, context)
      } else {
        ObjectRefresh(in: context).refreshRow(of: object)
      }
      // This must be the last step: an edit does not mark an object as changed if the object was
      // already noted.
      context.unitOfWork.noteResolution(of: object)
    }
  }

  /// Replaces the object's row by the stored row, and keeps the unsaved values that the policy
  /// prefers.
  private func rebase(
    _ object: NSManagedObject, on row: Row, _ context: NSManagedObjectContext
  ) {
    switch type {
    case .rollbackMergePolicyType:
      if object.standing.state == .deleted { restore(object, context) }
      ObjectRefresh(in: context).dropChanges(of: object)
    case .mergeByPropertyStoreTrumpMergePolicyType:
      for property in changed(object, object.row, row) {
        context.memberships.dropEdit(property.ordinal, of: object)
      }
    case .overwriteMergePolicyType: return keepValues(of: object, over: row, context)
    case .mergeByPropertyObjectTrumpMergePolicyType, .errorMergePolicyType: break
    }
    context.memberships.replaceRow(of: object, with: row)
  }

  /// Undoes the deletion of an object, and restores the references that the deletion set to nil.
  private func restore(_ object: NSManagedObject, _ context: NSManagedObjectContext) {
    ObjectDeletion.undo(of: object, in: context)
    for other in context.unitOfWork.updated where other !== object {
      for property in other.compiledEntity.properties where property.relationship != nil {
        guard case .value(.null)? = other.edits[property.ordinal],
          other.committedDestination(property.ordinal) === object
        else { continue }
        context.memberships.dropEdit(property.ordinal, of: other)
        other.forgetDestination(property.ordinal)
      }
    }
    context.memberships.unloadLists(admitting: [object])
  }

  /// Replaces the object's row by the stored row, and keeps all values of the object as unsaved
  /// values.
  private func keepValues(
    of object: NSManagedObject, over row: Row, _ context: NSManagedObjectContext
  ) {
    let old = object.row
    var destinations: [(ordinal: Int, object: NSManagedObject?)] = []
    for property in changed(object, old, row) where !object.edits.contains(property.ordinal) {
      // A value that cannot be decoded must not replace the stored value.
      if RowValue.isUnreadable(property, in: object) { continue }
      if property.relationship != nil {
        destinations.append((property.ordinal, object.committedDestination(property.ordinal)))
      } else {
        object.setEdit(.value(old.value(of: property, in: context.model)), property.ordinal)
      }
    }
    context.memberships.replaceRow(of: object, with: row)
    // Set after the new row is in place, so that the inverses are set as well.
    guard object.isPresent else { return }
    for (ordinal, destination) in destinations {
      RelationshipEdit(object, ordinal)?.setDestination(destination)
    }
  }

  private func changed(
    _ object: NSManagedObject, _ old: Row, _ new: Row
  ) -> [CompiledProperty] {
    let model = object.compiledEntity.model
    return object.compiledEntity.properties.filter { property in
      property.slot != nil
        && old.value(of: property, in: model) != new.value(of: property, in: model)
    }
  }
}
