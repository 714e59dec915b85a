internal import OpenObjectModel
internal import OpenStoreContract

// Checking the relationships of a save without packing rows.

extension ChangeSetBuilder {
  /// Checks the references that ``pack(naming:)`` would write.
  ///
  /// - Throws: `StoreError` for a relationship to an object that cannot be saved.
  mutating func checkReferences() throws(StoreError) {
    // Gives the inserted objects the keys by which packing recognizes them.
    assignProvisionalKeys()
    for object in share.inserted + share.updated { noteReferences(of: object) }
    restoreTemporaryKeys()
    // Removes the marks from the objects.
    _ = references.takeReferenced()
    try references.throwFailures()
  }

  private mutating func noteReferences(of object: NSManagedObject) {
    let entity = object.compiledEntity
    object.edits.forEach { ordinal, edit in
      let slot = entity.slotPositions[ordinal]
      guard slot >= 0, case .object(let destination) = edit else { return }
      if object.registration != .inserted {
        // An unchanged value is not written.
        let isHeld = try? edit.isHeld(by: object.view, slot, ordinal, of: entity)
        if isHeld == true, !edit.isInOtherStore(than: object) { return }
      }
      references.note(destination, ordinal, of: object)
    }
    addJoinRows(of: object)
  }

  /// Records the destination of an updated object.
  ///
  /// - Parameter slots: The slots that the save writes. A destination in an unchanged slot is
  ///   recorded only if it is in another store, where its key belongs to another object.
  mutating func noteReference(
    _ edit: EditValue, _ ordinal: Int, of object: NSManagedObject, _ slots: OrdinalSet
  ) {
    let slot = object.compiledEntity.slotPositions[ordinal]
    guard slot >= 0, slots.contains(slot) || edit.isInOtherStore(than: object) else { return }
    references.note(edit, ordinal, of: object)
  }
}

extension EditValue {
  /// Returns whether the value is a destination that is not in the store of an object.
  ///
  /// The row of the object may contain the key of this destination, but the key then belongs to
  /// another object.
  func isInOtherStore(than object: NSManagedObject) -> Bool {
    guard case .object(let destination) = self else { return false }
    return destination.storePosition != object.storePosition
  }
}
