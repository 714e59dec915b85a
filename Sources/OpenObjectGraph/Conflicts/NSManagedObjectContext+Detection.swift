// Conflicts of objects that a save does not write.

extension NSManagedObjectContext {
  /// Makes the next save detect a conflict for an object, even if the object has no unsaved
  /// changes.
  ///
  /// If the object's row was changed or deleted in the store after the context read the row, the
  /// save passes the conflict to the merge policy, as for a changed object. If the object is a
  /// fault, this method first fires the fault.
  ///
  /// The save compares the stored row with the row that the context has at the time of the save. If
  /// the object has become a fault again, the context has no row to compare, and the save does not
  /// detect a conflict. When a child context saves, the child context also makes the next save of
  /// its parent detect the conflict.
  ///
  /// For an object of another context, this method changes nothing, and the next save throws
  /// `ObjectError`.
  ///
  /// - Parameter object: An object of the context.
  /// > Concurrency: Call on the context's queue.
  /// > Reference: Apple, detectConflicts(for:).
  public func detectConflicts(for object: NSManagedObject) {
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
