extension NSManagedObjectContext: UndoClient {
  /// Takes back the last step of the undo manager; without one nothing happens.
  ///
  /// > Reference: Apple, undo().
  public func undo() { undoManager?.undo() }

  /// Brings back what the last undo took back; without an undo manager nothing happens.
  ///
  /// > Reference: Apple, redo().
  public func redo() { undoManager?.redo() }

  var hasPendingUndo: Bool {
    unitOfWork.hasUnprocessedChanges && undoRecorder?.isCarryingOut == false
  }

  func registerPendingUndo() {
    if undoRecorder?.isCarryingOut == false { processPendingChanges() }
  }
}
