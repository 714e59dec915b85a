internal import OpenStoreContract

// What becomes of an object once its changes are saved.

extension NSManagedObject {
  /// Replaces the object's row by the saved row. The object's values remain edits until it accepts
  /// its changes.
  final func adopt(_ row: consuming Row) {
    self.row = row
    if !contents.hasValues { becomeRealized() }
  }

  /// Marks an inserted or updated object as unchanged. The object's row already contains its
  /// values.
  ///
  /// - Parameter state: The object's former state.
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
