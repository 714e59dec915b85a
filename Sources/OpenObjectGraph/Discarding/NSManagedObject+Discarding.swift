// Dropping the values of an object that stays in its context.

extension NSManagedObject {
  /// Turns the object into a fault and drops its unsaved changes. The next access to a property
  /// reads the row.
  final func turnIntoFault() {
    let wasRealized = contents.hasValues
    if wasRealized { willTurnIntoFault() }
    edits.removeAll()
    forgetLoaded()
    contents = .fault
    dropRow()
    if wasRealized { didTurnIntoFault() }
  }

  /// Drops unsaved changes and keeps the committed values.
  final func restoreCommittedValues() {
    edits.removeAll()
    forgetLoaded()
  }
}
