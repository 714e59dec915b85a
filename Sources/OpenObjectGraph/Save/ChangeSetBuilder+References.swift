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
        if isHeld == true { return }
      }
      references.note(destination, ordinal, of: object)
    }
    addJoinRows(of: object)
  }
}
