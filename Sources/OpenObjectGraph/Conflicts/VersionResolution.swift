internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// What a policy makes of an object whose row changed.
struct VersionResolution {
  let type: NSMergePolicyType

  func apply(to conflict: NSMergeConflict) {
    let object = conflict.sourceObject
    guard let context = object.context else { return }
    guard conflict.newVersionNumber != 0 else { return context.noteMissingRow(of: object) }
    if let row = conflict.storedRow {
      rebase(object, on: row, context)
    } else {
      context.refreshRow(of: object)
    }
    // Last: an object that is noted already would not become a changed one by an edit.
    context.unitOfWork.noteResolution(of: object)
  }

  /// Puts the stored row under the object's unsaved values, as far as the policy lets them stand.
  private func rebase(
    _ object: NSManagedObject, on row: Row, _ context: NSManagedObjectContext
  ) {
    let old = object.row
    switch type {
    case .rollbackMergePolicyType:
      context.dropChanges(of: object)
    case .mergeByPropertyStoreTrumpMergePolicyType:
      for property in changed(object, old, row) { context.dropEdit(property.ordinal, of: object) }
    case .overwriteMergePolicyType:
      for property in changed(object, old, row)
      where !object.edits.contains(property.ordinal) {
        object.setEdit(.value(old.value(of: property, in: context.model)), property.ordinal)
      }
    case .mergeByPropertyObjectTrumpMergePolicyType, .errorMergePolicyType: break
    }
    context.dropMemberships(from: old, to: row, at: Int(object.storePosition))
    object.row = row
    object.forgetDestinations()
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
