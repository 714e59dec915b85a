extension NSManagedObjectContext: UndoClient {

  var hasPendingUndo: Bool {
    unitOfWork.hasUnprocessedChanges && undoRecorder?.isCarryingOut == false
  }

  func registerPendingUndo() {
    if undoRecorder?.isCarryingOut == false { processPendingChanges() }
  }
}
