internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

// Merging changes that another context saved.

extension NSManagedObjectContext {
  /// Implements `mergeChanges(fromContextDidSave:)`.
  final func mergeSave(_ notification: Notification) {
    let source = notification.object as? NSManagedObjectContext
    let isShared =
      source != nil && source?.persistentStoreCoordinator === persistentStoreCoordinator
    performAndWait {
      merge(
        ForeignChanges(
          notification.userInfo ?? [:], for: self, source: isShared ? .context : .stores))
    }
  }

  /// Merges changes into several contexts, for example changes that another process or a batch
  /// request has saved.
  ///
  /// Each context reads the changed rows from the stores.
  ///
  /// - Parameters:
  ///   - changes: Arrays or sets of object ids, URIs or objects, under the keys of a save
  ///     notification.
  ///   - contexts: The contexts; each context merges the changes on its own queue.
  /// > Concurrency: Call on any thread. The method returns after all contexts have merged the
  /// > changes.
  /// > Reference: Apple, mergeChanges(fromRemoteContextSave:into:).
  public class func mergeChanges(
    fromRemoteContextSave changes: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
  ) {
    for context in contexts {
      context.performAndWait {
        context.merge(ForeignChanges(changes, for: context, source: .stores))
      }
    }
  }

  /// Merges changes by another context or process.
  func merge(_ changes: ForeignChanges) {
    loadingFreely {
      var merger = ChangeMerger(changes, into: self)
      merger.run()
    }
  }

  /// Passes new changes to the child contexts that merge automatically.
  func announceToChildren(
    inserted: [NSManagedObject], updated: [NSManagedObject], deleted: [NSManagedObject],
    except source: NSManagedObjectContext? = nil
  ) {
    let listeners = children.all.filter {
      $0 !== source && $0.automaticallyMergesChangesFromParent
    }
    guard !listeners.isEmpty else { return }
    let changes = ForeignChanges(inserted: inserted, updated: updated, deleted: deleted)
    for child in listeners {
      child.perform { [reference = child.weakReference] in reference.target?.merge(changes) }
    }
  }

  /// Announces to child contexts the permanent keys that replaced temporary keys, and the stores to
  /// which unsaved objects were moved.
  ///
  /// A child first renames its registered objects, and then announces these renames to its own
  /// children. This method announces the other renames to them immediately.
  func announceToChildren(_ renames: @autoclosure () -> [ObjectRename]) {
    let children = children.all
    guard !children.isEmpty else { return }
    let renames = renames()
    guard !renames.isEmpty else { return }
    for child in children {
      let unregistered = child.registry.note(renames)
      child.announceToChildren(unregistered)
    }
  }

  /// Removes objects whose rows were deleted from all lists; unsaved objects stay.
  func acceptDeletions(of objects: [NSManagedObject]) {
    if objects.isEmpty { return }
    let present = objects.filter { $0.registration == .persistent }
    for object in present where !object.edits.isEmpty {
      GraphLog.warning(
        "Unsaved changes to \(object.currentID) will not be saved because another context deleted the object."
      )
    }
    memberships.remove(present, changed: unitOfWork.inserted + unitOfWork.updated)
    for object in objects { noteMissingRow(of: object) }
    // The merge brings the changes that delete rules make to other objects.
    for object in present { unitOfWork.notePropagation(of: object) }
  }

  /// Removes an object whose row was deleted; an unsaved object stays.
  func noteMissingRow(of object: NSManagedObject) {
    switch object.standing.state {
    case .persistent, .deleted, .deletedTwice, .missing:
      unitOfWork.move(object, by: .findMissing)
    case .detached, .inserted, .withdrawn: return
    }
  }

  /// Replaces an object's row with the newest row that the coordinator has; unsaved changes stay.
  ///
  /// - Returns: `false` if the row cannot be read.
  @discardableResult
  func refreshRow(of object: NSManagedObject) -> Bool {
    refreshStores()
    guard let store = object.store else { return false }
    let root = object.compiledEntity.rootIndex
    if let row = knownRow(root: root, key: object.key, in: store) {
      memberships.take(row, object)
      return true
    }
    // The object's row was replaced, and the new row is no longer in the row cache.
    do {
      try readAgain(object, in: store)
      return true
    } catch {
      noteUnreadableRow(of: object, error)
      return false
    }
  }

  /// Handles newer values that cannot be read, so that old values are not taken for the new ones.
  ///
  /// Without unsaved changes, the object becomes a fault, which reads the values when it fires.
  /// Otherwise every save throws the error until the object is refreshed.
  private func noteUnreadableRow(of object: NSManagedObject, _ error: StoreError) {
    GraphLog.error("The object \(object.currentID) cannot be refreshed: \(error)")
    guard object.registration == .persistent, object.contents != .fault else { return }
    if object.isMarkedUpdated {
      deferredErrors.noteFailedRead(of: object, error)
    } else {
      object.turnIntoFault()
    }
  }

  /// Reads the row of an object again; unsaved changes stay.
  func readAgain(_ object: NSManagedObject, in store: NSPersistentStore) throws(StoreError) {
    let root = model.entities[object.compiledEntity.rootIndex]
    for chunk in try source.rows(of: root, keys: [object.key], in: store) {
      source.publish(chunk, in: store)
      chunk.forEachRow { memberships.take($0, object) }
    }
  }
}
