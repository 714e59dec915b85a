internal import OpenObjectModel
internal import OpenStoreContract

/// Refreshes objects of a context: replaces their rows by the newest rows, or turns them into
/// faults.
///
/// Each call creates its own refresh.
///
/// > Concurrency: Confined to the context's queue.
struct ObjectRefresh {
  private let context: NSManagedObjectContext

  init(in context: NSManagedObjectContext) { self.context = context }

  /// Implements `refresh(_:mergeChanges:)`.
  func run(_ object: NSManagedObject, mergeChanges flag: Bool) {
    guard object.registry === context.registry else {
      guard object.registration != .detached else { return }
      return context.deferredErrors.note(
        "An NSManagedObjectContext cannot refresh objects in other contexts.", of: object)
    }
    // An unsaved object has no row with new values.
    guard object.registration == .persistent || object.registration == .inserted && !flag else {
      return
    }
    context.deferredErrors.forgetFailedReads(of: object)
    context.source.adoptRenames(in: context)
    if flag {
      refreshKeepingChanges(of: object)
    } else {
      becomeFault(object)
    }
    context.observation.compare(in: context.registry)
    ChangeAnnouncement(refreshed: [object]).post(from: context)
  }

  /// Implements `refreshAllObjects()`.
  func runForAll() {
    context.source.adoptRenames(in: context)
    let objects = context.registry.identityMap.all().filter { $0.registration == .persistent }
    for object in objects {
      context.deferredErrors.forgetFailedReads(of: object)
      if object.isMarkedUpdated {
        refreshKeepingChanges(of: object)
      } else {
        object.turnIntoFault()
      }
    }
    context.observation.compare(in: context.registry)
    ChangeAnnouncement(refreshed: objects).post(from: context)
  }

  // MARK: Discarding changes

  private func becomeFault(_ object: NSManagedObject) {
    PairedEdits(in: context).drop(of: object)
    dropChanges(of: object)
    // The notification of the refresh reports the object.
    if object.registration == .persistent { context.unitOfWork.withdrawAnnouncement(of: object) }
    object.turnIntoFault()
    // Undo still reverses the insertion, because the object remains in the context.
    if object.registration == .inserted { context.undoRecorder?.takeBaseline(of: object) }
  }

  /// Drops all unsaved changes of an object and marks it as unchanged.
  func dropChanges(of object: NSManagedObject) {
    context.memberships.dropEdits(of: object)
    object.forgetLoaded()
    context.unitOfWork.discardUpdate(of: object)
  }

  // MARK: Keeping changes

  /// Replaces an object's values with the newest values and unloads its to-many relationships, so
  /// that they are read again; unsaved changes stay.
  ///
  /// If the values cannot be read or the store was removed, the relationships stay loaded, because
  /// their members could not be read again.
  private func refreshKeepingChanges(of object: NSManagedObject) {
    object.extras?.fetched.removeAll()
    guard refreshRow(of: object), context.registry.isAttached(Int(object.storePosition)) else {
      return
    }
    context.memberships.unloadLists(of: object)
  }

  /// Replaces the values of a saved object with a row that a fetch has read; unsaved changes and
  /// the values of transient attributes stay.
  static func replaceRow(
    of object: NSManagedObject, with row: Row, in context: NSManagedObjectContext
  ) {
    object.extras?.fetched.removeAll()
    if object.isMarkedUpdated {
      context.memberships.take(row, object)
    } else {
      context.memberships.replaceRow(of: object, with: row)
    }
    context.memberships.unloadLists(of: object)
  }

  /// Replaces an object's row with the newest row that the coordinator has; unsaved changes stay.
  ///
  /// - Returns: `false` if the row cannot be read.
  @discardableResult
  func refreshRow(of object: NSManagedObject) -> Bool {
    context.refreshStores()
    guard let store = object.store else { return false }
    let root = object.compiledEntity.rootIndex
    if let row = context.knownRow(root: root, key: object.key, in: store) {
      context.memberships.take(row, object)
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
      context.deferredErrors.noteFailedRead(of: object, error)
    } else {
      object.turnIntoFault()
    }
  }

  /// Reads the row of an object again; unsaved changes stay.
  func readAgain(_ object: NSManagedObject, in store: NSPersistentStore) throws(StoreError) {
    let root = context.model.entities[object.compiledEntity.rootIndex]
    for chunk in try context.source.rows(of: root, keys: [object.key], in: store) {
      context.source.publish(chunk, in: store)
      chunk.forEachRow { context.memberships.take($0, object) }
    }
  }
}
