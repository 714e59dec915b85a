internal import Foundation

/// A reset of a context, which removes all objects and discards all unsaved changes.
///
/// Created for one call of `reset()`.
///
/// > Concurrency: Confined to the context's queue.
struct ContextReset {
  private let context: NSManagedObjectContext

  init(of context: NSManagedObjectContext) { self.context = context }

  /// Removes the objects and announces their ids.
  func run() {
    let registry = context.registry
    let known = registry.identityMap.all()
    let realized = known.filter { $0.contents.hasValues }
    for object in realized { object.willTurnIntoFault() }
    // The hooks may register further objects.
    let objects = realized.isEmpty ? known : registry.identityMap.all()
    context.source.advanceGeneration()
    context.unitOfWork.end(.leave).settle()
    Self.forgetErrors(of: context)
    context.guardedObjects.removeAll()
    context.memberships.forgetChanges()
    context.faults.removeAll()
    context.retained.removeAll()
    registry.identityMap.removeAll()
    registry.loadedLists.removeAll()
    let ids = objects.map(\.currentID)
    for object in objects { forget(object) }
    context.undoRecorder?.forgetSteps()
    context.observation.compare(in: registry)
    for object in realized where object.contents == .fault { object.didTurnIntoFault() }
    Notification(
      name: .NSManagedObjectContextObjectsDidChange, object: context,
      userInfo: [NSInvalidatedAllObjectsKey: ids]
    ).announce(.objects)
  }

  /// Removes an object from the context and turns it into a fault without a row.
  private func forget(_ object: NSManagedObject) {
    object.becomeDetached()
    object.registry = nil
    object.edits.removeAll()
    object.forgetLoaded()
    object.contents = .fault
  }

  /// Clears the deferred errors of a context whose unsaved changes are discarded.
  static func forgetErrors(of context: NSManagedObjectContext) {
    context.deferredErrors.removeAll()
    _ = context.unitOfWork.takeRefusals()
  }
}
