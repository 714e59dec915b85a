/// Deletes objects of a context, and undoes unsaved deletions.
///
/// > Concurrency: Confined to the context's queue.
enum ObjectDeletion {
  /// Implements `delete(_:)`.
  static func delete(_ object: NSManagedObject, from context: NSManagedObjectContext) {
    context.checkQueue("an object was deleted")
    guard object.registry === context.registry, object.registration != .detached else {
      if object.registration != .detached {
        context.deferredErrors.note(
          "An NSManagedObjectContext cannot delete objects in other contexts.", of: object)
      }
      return
    }
    // The hook may delete the object, or another object whose hook deletes this object.
    if object.flags.contains(.deleting) { return }
    guard context.loadingFreely({ object.becomesEditable() }) else { return }
    // Loading may find that the row is missing, and the hook may remove the object from the
    // context.
    if object.isPresent {
      object.setDeleting(true)
      object.prepareForDeletion()
      object.setDeleting(false)
    }
    guard object.isPresent else { return }
    context.undoRecorder?.noteDeletion(of: object)
    context.unitOfWork.move(object, by: .delete)
    object.compareForObservers()
  }

  /// Undoes an unsaved deletion.
  static func undo(of object: NSManagedObject, in context: NSManagedObjectContext) {
    context.unitOfWork.move(object, by: .undelete)
    if object.registration == .persistent, !object.hasEdits {
      context.unitOfWork.announce(object)
    } else {
      context.unitOfWork.update(object)
    }
    object.compareForObservers()
  }
}
