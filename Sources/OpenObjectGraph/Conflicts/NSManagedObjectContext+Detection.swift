// Conflicts of objects that a save does not write.

extension NSManagedObjectContext {
  /// Makes the next save detect a conflict for an object even if the object is unchanged.
  ///
  /// If the object's row was changed or deleted since the object was read, the save passes the conflict to the merge
  /// policy, as for a changed object. If the object is a fault, this method fires the fault first. The save compares
  /// the row that the context has at that time; an object that has become a fault again cannot conflict. When
  /// a child context saves, it passes the request to its parent.
  ///
  /// For an object of another context, this method changes nothing, and the next save throws `ObjectError`.
  ///
  /// - Parameter object: An object of the context.
  /// > Concurrency: Call on the context's queue.
  /// > Reference: Apple, detectConflicts(for:).
  public func detectConflicts(for object: NSManagedObject) {
    checkQueue("conflicts were looked for")
    guard object.registry === registry, object.registration != .detached else {
      deferredErrors.note(
        object.misuse("A context detects conflicts only of its own objects.", nil))
      return
    }
    loadingFreely { object.realizeIfNeeded() }
    guardedObjects.insert(object)
  }
}
