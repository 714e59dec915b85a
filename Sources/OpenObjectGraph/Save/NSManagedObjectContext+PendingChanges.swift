internal import OpenObjectModel

// Processing changes that are not saved yet.

extension NSManagedObjectContext {
  /// Processes pending changes at the end of each turn of the main queue in which there was a
  /// change.
  final func processChangesEachTurn() {
    unitOfWork.willAnnounceFirst = { [queue, weakReference] in
      queue.enqueue { weakReference.target?.processPendingChanges() }
    }
  }

  /// Applies delete rules, then posts one notification with the context's changes and with merged
  /// changes.
  ///
  /// - Parameter merged: The changes that the context has merged.
  func processPendingChanges(merging merged: ChangeAnnouncement) {
    guard unitOfWork.hasUnprocessedChanges || !merged.isEmpty else { return }
    loadingFreely {
      if propagatesDeletesAtEndOfEvent || runningSave != nil { DeleteRules(in: self).apply() }
      undoRecorder?.registerPendingChanges()
      observation.compare(in: registry)
      var announcement = merged
      announcement.takeChanges(of: self)
      announcement.post(from: self)
    }
  }
}
