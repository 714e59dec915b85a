internal import OpenStoreContract

// Updating an object after its changes were saved.

extension NSManagedObject {
  /// Replaces the object's row by the saved row. The object keeps its edits until
  /// ``acceptChanges(after:)`` is called.
  final func adopt(_ row: consuming Row) {
    self.row = row
    if !contents.hasValues { becomeRealized() }
  }

  /// Marks an inserted or updated object as unchanged. Call this method after the object's row was
  /// replaced by the saved row.
  ///
  /// - Parameter state: The state of the object before the save.
  final func acceptChanges(after state: Standing.State) {
    edits.forEachBorrowed { ordinal, edit in keep(edit, ordinal) }
    edits.removeAll()
    DestinationLookup.forgetReplacedDestinations(of: self)
    borrowing(extras) { extras in
      if let baseline = extras.undoBaseline {
        extras.undoBaseline = baseline.afterSave(of: compiledEntity)
      }
      extras.adoptMembers()
      if state == .inserted { registry?.noteLists(of: self, extras) }
    }
  }

  /// Keeps a value or a destination that the row does not contain.
  @inline(__always)
  private final func keep(_ edit: EditValue, _ ordinal: Int) {
    switch edit {
    case .value: break
    case .boxed(let box): makeExtras().values[ordinal] = box.value
    case .object(let destination): DestinationLookup.keep(destination, ordinal, of: self)
    }
  }
}
