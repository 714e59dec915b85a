internal import OpenStoreContract

// What becomes of an object once its changes are saved.

extension NSManagedObject {
  /// Puts the saved row under the object's values, which are unsaved until it accepts its changes.
  final func adopt(_ row: consuming Row) {
    self.row = row
    if !contents.hasValues { becomeRealized() }
  }

  /// Makes an inserted or updated object an unchanged one, whose row has its values.
  ///
  /// - Parameter state: What the object was before.
  final func acceptChanges(after state: Standing.State) {
    keepTransientValues()
    edits.removeAll()
    forgetDestinations()
    borrowing(extras) { extras in
      if let baseline = extras.undoBaseline {
        extras.undoBaseline = baseline.afterSave(of: compiledEntity)
      }
      extras.adoptMembers()
      if state == .inserted { registry?.noteLists(of: self, extras) }
    }
  }

  private final func keepTransientValues() {
    guard edits.mayHaveBoxes else { return }
    edits.forEach { ordinal, edit in
      guard case .boxed(let box) = edit else { return }
      makeExtras().values[ordinal] = box.value
    }
  }
}
