/// What happens to objects whose rows were deleted by another context or process.
enum MissingRow {
  /// Removes objects whose rows were deleted from all lists; unsaved objects remain in the lists.
  static func accept(of objects: [NSManagedObject], in context: NSManagedObjectContext) {
    if objects.isEmpty { return }
    let present = objects.filter { $0.registration == .persistent }
    for object in present where !object.edits.isEmpty {
      GraphLog.warning(
        "Unsaved changes to \(object.currentID) will not be saved because another context deleted the object."
      )
    }
    context.memberships.remove(
      present, changed: context.unitOfWork.inserted + context.unitOfWork.updated)
    for object in objects { note(of: object, in: context) }
    // The merge brings the changes that delete rules make to other objects.
    for object in present { context.unitOfWork.notePropagation(of: object) }
  }

  /// Removes an object whose row was deleted; an unsaved object remains.
  static func note(of object: NSManagedObject, in context: NSManagedObjectContext) {
    switch object.standing.state {
    case .persistent, .deleted, .deletedTwice, .missing:
      context.unitOfWork.move(object, by: .findMissing)
    case .detached, .inserted, .withdrawn: return
    }
  }

  /// Notes the error of a failed read of an object that is unsaved or deleted, or has no context.
  ///
  /// If the object's row does not exist, there is no stored value that a save could overwrite, and
  /// the method only logs a warning.
  static func note(_ error: any Error, of object: NSManagedObject) {
    guard object.isRowMissing else { return object.note(error) }
    GraphLog.warning(
      "A property of \(object.currentID) was read, but the row was deleted or never existed. The property returned "
        + "a replacement value.")
  }
}
