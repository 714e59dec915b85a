internal import Foundation
internal import OpenObjectModel

// The connection of a context to the source of its rows: a coordinator or a parent context.

extension NSManagedObjectContext {
  /// Implements the setter of `persistentStoreCoordinator`.
  final func attach(to newCoordinator: NSPersistentStoreCoordinator?) {
    guard let newCoordinator, newCoordinator !== coordinator else { return }
    guard coordinator == nil, source.parent == nil else {
      return refuse("Context already has a coordinator; cannot replace.")
    }
    source = StoreSource(newCoordinator, for: weakReference, after: source)
    adopt(newCoordinator)
  }

  /// Implements the setter of `parent`.
  final func attach(toParent newParent: NSManagedObjectContext?) {
    guard let newParent, newParent !== source.parent else { return }
    guard coordinator == nil, source.parent == nil else {
      return refuse("Context already has a coordinator or a parent; cannot replace.")
    }
    guard newParent.concurrencyType != .confinementConcurrencyType else {
      return refuse(
        "Parent NSManagedObjectContext must use either NSPrivateQueueConcurrencyType or "
          + "NSMainQueueConcurrencyType.")
    }
    guard !newParent.descends(from: self) else {
      return refuse("A context cannot be its own ancestor.")
    }
    source = ParentSource(newParent, after: source)
    if let root = newParent.coordinator { adopt(root) }
    newParent.children.insert(self)
    // The parent's rows may contain temporary keys that its ancestors have already replaced.
    registry.addPlaces(of: newParent.registry)
  }

  private func descends(from ancestor: NSManagedObjectContext) -> Bool {
    var current: NSManagedObjectContext? = self
    while let context = current {
      if context === ancestor { return true }
      current = context.source.parent
    }
    return false
  }

  private func refuse(_ reason: String) { deferredErrors.note(ObjectError(reason)) }

  private func adopt(_ newCoordinator: NSPersistentStoreCoordinator) {
    coordinator = newCoordinator
    registry = ContextRegistry(context: self, model: newCoordinator.model)
    classes = newCoordinator.classes
    descriptions = newCoordinator.descriptions
    registry.refresh(from: newCoordinator)
    unitOfWork.registry = registry
    memberships.registry = registry
    registerForMerging()
    for child in children.all { child.adopt(newCoordinator) }
  }

  /// Adds the context to the contexts that receive saves or removes it, depending on
  /// `automaticallyMergesChangesFromParent`.
  final func registerForMerging() {
    guard let contexts = source.mergingContexts else { return }
    automaticallyMergesChangesFromParent ? contexts.insert(self) : contexts.remove(self)
  }
}
