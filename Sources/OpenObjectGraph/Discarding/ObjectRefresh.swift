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
    if flag, object.standing.state == .deleted { return refreshDeletion(of: object) }
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

  /// Replaces the row of a deleted object, so that the next save does not report the same conflict
  /// again.
  private func refreshDeletion(of object: NSManagedObject) {
    context.deferredErrors.forgetFailedReads(of: object)
    context.source.adoptRenames(in: context)
    refreshRow(of: object)
    context.observation.compare(in: context.registry)
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
    let outcome = refreshRow(of: object)
    guard outcome != .unread, context.registry.isAttached(Int(object.storePosition)) else {
      return
    }
    if outcome == .missing { noteMissingRow(of: object) }
    context.memberships.unloadLists(of: object)
    if outcome == .found { SnapshotEvents.announce(.refresh, to: object) }
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

  /// The outcome of reading an object's row.
  enum Outcome {
    /// The row exists.
    case found
    /// The row does not exist.
    case missing
    /// The row cannot be read.
    case unread
  }

  /// Replaces an object's row with the newest row that the coordinator has; unsaved changes stay.
  ///
  /// If the row does not exist, the object keeps its values.
  @discardableResult
  func refreshRow(of object: NSManagedObject) -> Outcome {
    context.refreshStores()
    guard let store = object.store else { return .unread }
    let root = object.compiledEntity.rootIndex
    if let row = context.knownRow(root: root, key: object.key, in: store) {
      context.memberships.take(row, object)
      return .found
    }
    // The object's row was replaced, and the new row is no longer in the row cache.
    do {
      return try readAgain(object, in: store)
    } catch {
      noteUnreadableRow(of: object, error)
      return .unread
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

  /// Handles a row that no longer exists, so that its values are not taken for the newest ones.
  ///
  /// Without unsaved changes, the object becomes a fault that cannot be fulfilled. Otherwise a save
  /// reports the conflict.
  private func noteMissingRow(of object: NSManagedObject) {
    guard object.registration == .persistent, !object.isMarkedUpdated,
      object.contents != .fault
    else { return }
    object.turnIntoFault()
  }

  /// Reads the row of an object again; unsaved changes stay.
  ///
  /// - Returns: `found` or `missing`.
  @discardableResult
  func readAgain(
    _ object: NSManagedObject, in store: NSPersistentStore
  ) throws(StoreError) -> Outcome {
    let root = context.model.entities[object.compiledEntity.rootIndex]
    let chunks = try context.source.rows(of: root, keys: [object.key], in: store)
    for chunk in chunks {
      context.source.publish(chunk, in: store)
      chunk.forEachRow { context.memberships.take($0, object) }
    }
    return chunks.contains { $0.rowCount > 0 } ? .found : .missing
  }
}
