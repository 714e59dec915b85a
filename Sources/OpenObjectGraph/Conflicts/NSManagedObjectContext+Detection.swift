// Conflicts of objects that a save does not write.

extension NSManagedObjectContext {
  /// Implements `detectConflicts(for:)`.
  ///
  /// The save compares the stored row with the row that the context has at the time of the save.
  final func guardRow(of object: NSManagedObject) {
    checkQueue("conflict detection was requested")
    guard object.registry === registry, object.registration != .detached else {
      deferredErrors.note(
        object.misuse("A context can detect conflicts only for its own objects.", nil))
      return
    }
    loadingFreely { object.realizeIfNeeded() }
    guardedObjects.insert(object)
  }
}
