// Conflicts of objects that a save does not write.

extension NSManagedObjectContext {
  /// Makes the next save detect a conflict of an object even if the object is unchanged.
  ///
  /// If the object's row was changed or deleted since the object was read, the save passes the conflict to the merge
  /// policy, as for a changed object. A fault is fired first. The comparison uses the row that the context has
  /// when it is saved; an object that became a fault again has no values that could be outdated. A child context
  /// passes the request to its parent when it saves.
  ///
  /// An object of another context changes nothing, and the next save throws.
  ///
  /// - Parameter object: An object of the context.
  /// > Concurrency: On the context's queue.
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
