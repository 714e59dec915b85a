internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// A save of a context, from the first hook to the notifications.
///
/// `NSManagedObjectContext.save()` creates the operation, which is the context's `runningSave`
/// until the save ends. The operation owns the state of this save only: the hooks that have run,
/// the changes that each store has written, and the sets in the notifications. Until a store has
/// committed, the objects of the store keep their edits. After the commit, the objects are
/// unchanged and have permanent keys, even if the next store fails.
///
/// > Concurrency: Confined to the context's queue. Hooks and notifications run outside every
/// > transaction.
final class SaveOperation {
  private let context: NSManagedObjectContext
  @exclusivity(unchecked) private var hooks = WillSaveHooks()
  /// Sets of objects in the notifications of this save.
  @exclusivity(unchecked) private var announcedSets = AnnouncedSets()
  /// Whether validators are running.
  @exclusivity(unchecked) private var isValidating = false
  /// The changes that stores have written so far, in the order of the stores.
  @exclusivity(unchecked) private var written: [SavedChanges] = []
  /// The objects that were saved.
  @exclusivity(unchecked) private var saved = SaveSet()
  /// Objects whose values a merge policy changed.
  @exclusivity(unchecked) private var resolved: [NSManagedObject] = []
  /// Objects that were not saved, but for which the stores computed values.
  @exclusivity(unchecked) private var recomputed: [NSManagedObject] = []
  /// Objects that a merge policy merged into other objects. They keep their values until the save
  /// ends.
  @exclusivity(unchecked) private var merged: [NSManagedObject] = []

  init(of context: NSManagedObjectContext) { self.context = context }

  /// Checks whether the context may be saved again while this save runs.
  ///
  /// - Throws: `CocoaError` 134060 if validators are running.
  func checkAllowsSave() throws(CocoaError) {
    guard isValidating else { return }
    throw CocoaError.make(
      .coreData,
      "A validator cannot save a context that is already being saved. Save after validation.")
  }

  /// Performs the save.
  ///
  /// - Throws: The errors of `save()`. If the code is 134040, the stores named in the error have
  ///   been written; after any other error, no store has been written.
  func run() throws {
    let stores = try context.requireStores("save")
    context.source.adoptRenames(in: context)
    defer { forgetMerges() }
    try context.violations.throwFirst()
    try throwDeferred()
    context.undoRecorder?.beginSave()
    defer { context.undoRecorder?.endSave() }
    defer { hooks.end(in: context) }
    try prepare()
    try context.source.accept(self, in: stores)
    context.guardedObjects.removeAll()
    context.counters.countSave(of: saved)
    announce()
  }

  // MARK: Hooks and validation

  /// Processes pending changes and runs all code of the application that precedes the first
  /// transaction.
  private func prepare() throws {
    context.processPendingChanges()
    try requireDeleteRules()
    try hooks.run(in: context)
    Notification(name: .NSManagedObjectContextWillSave, object: context)
      .announce(.willSave)
    context.processPendingChanges()
    try hooks.run(in: context)
    try throwDeferred()
    try validate()
    try requireDeleteRules()
  }

  /// Throws the next deferred error, including illegal transitions.
  private func throwDeferred() throws {
    if !context.unitOfWork.refusals.isEmpty {
      for refusal in context.unitOfWork.takeRefusals() { context.deferredErrors.note(refusal) }
    }
    try context.deferredErrors.throwNext()
  }

  /// Throws if delete rules could not be applied because the affected objects could not be read.
  private func requireDeleteRules() throws {
    guard !context.unitOfWork.unpropagated.isEmpty,
      let error = context.unitOfWork.propagationFailure
    else { return }
    throw (error as? StoreError).map(CocoaError.surfaced) ?? error
  }

  /// Validates all changed objects repeatedly, until no validator changes an object.
  ///
  /// - Throws: An error that combines the errors of all validators; `CocoaError` with code 134060
  ///   if validators still make changes after 100 rounds.
  private func validate() throws {
    let rounds = 100
    isValidating = true
    defer { isValidating = false }
    let save = SaveNumber()
    for _ in 0..<rounds {
      // Changes that observers left unprocessed do not count as changes by validators.
      let before = context.unitOfWork.unprocessedCount
      try validateOnce(in: save)
      guard context.unitOfWork.unprocessedCount != before else { return try throwDeferred() }
      context.processPendingChanges()
      try hooks.run(in: context)
    }
    throw CocoaError.make(
      .coreData,
      "The save was canceled because validators changed objects in \(rounds) successive rounds. "
        + "A validator may replace a value only if the value is not correct yet.")
  }

  private func validateOnce(in save: SaveNumber) throws {
    var failures: [any Error] = []
    context.unitOfWork.changes.forEach { object in
      // A new object that was turned into a fault has the default values of the model.
      if object.registration == .inserted { object.realizeIfNeeded() }
      do {
        try object.validateForSave()
        if object.edits.mayHaveBoxes, object.registration != .deleted {
          try ObjectValidation(object).archiveValues(save)
        }
      } catch {
        failures += CocoaError.details(of: error)
      }
    }
    if let error = CocoaError.combining(failures) { throw error }
  }

  // MARK: Parent

  /// Passes the changes to a parent context.
  func write(to parent: NSManagedObjectContext) throws {
    saved = context.unitOfWork.changes
    try ParentSave(of: context, into: parent).run(saved)
    acceptChanges()
  }

  // MARK: Stores

  /// Returns the commits of this save, with one commit for each store to write, after checking that
  /// the stores are writable.
  func commits(to stores: [NSPersistentStore]) throws -> [StoreCommit] {
    let changes = context.unitOfWork.changes
    try StorePlacement(context: context).place(changes.inserted)
    var uncovered = changes.count
    var commits: [StoreCommit] = []
    for store in stores {
      guard let position = context.persistentStoreCoordinator?.position(of: store) else { continue }
      let share = changes.share(of: position)
      uncovered -= share.count
      let commit = try StoreCommit(of: share, to: store, at: position, in: context)
      if commit.isEmpty { continue }
      commits.append(commit)
    }
    // The commit to a single store performs these checks.
    if commits.count > 1 {
      for commit in commits {
        try commit.store.requireWritable()
        try commit.requireSavableReferences()
      }
    }
    if uncovered > 0 { uncovered -= mergedDeletions(outside: stores, in: changes).count }
    guard uncovered == 0 else {
      throw CocoaError.make(
        .persistentStoreOperation,
        "Nothing was saved because the store of \(uncovered) changed objects was removed from the coordinator. "
          + "Add the store again, or discard the changes with rollback() or reset().")
    }
    return commits
  }

  /// Returns the objects of removed stores whose rows were already deleted. A save writes nothing
  /// for these objects.
  private func mergedDeletions(
    outside stores: [NSPersistentStore], in changes: SaveSet
  ) -> [NSManagedObject] {
    let positions = Set(stores.map(\.position))
    return changes.deleted.filter {
      $0.isRowMissing && !positions.contains(Int($0.storePosition))
    }
  }

  /// Removes the objects of removed stores whose rows were already deleted from the context. Call
  /// this method after all stores have been written.
  func acceptMergedDeletions(outside stores: [NSPersistentStore]) {
    guard context.unitOfWork.hasChanges else { return }
    let deleted = mergedDeletions(outside: stores, in: context.unitOfWork.changes)
    if deleted.isEmpty { return }
    saved.append(SaveSet(inserted: [], updated: [], deleted: deleted))
    for object in deleted { object.detachKeepingID() }
    if !context.unitOfWork.hasChanges { context.memberships.forgetChanges() }
  }

  /// Notes that a merge policy merged an object into another object.
  func noteMerge(of object: NSManagedObject) { merged.append(object) }

  private func forgetMerges() {
    for object in merged {
      object.extras?.survivor = nil
      // The program may have inserted the object again.
      if object.registry == nil { object.releaseObjects() }
    }
  }

  /// Updates the objects after a store has written their changes, and marks the objects as
  /// unchanged.
  func adopt(_ outcome: SavedChanges) {
    // A merge policy may have changed objects during the commit.
    let changes = context.unitOfWork.takeUnannounced()
    resolved += changes.inserted + changes.others
    recomputed += outcome.adopt(in: context)
    acceptChanges(at: outcome.position)
    outcome.dropUnreadRows(in: context)
    context.memberships.unloadListsWithoutInverse(takenFromBy: outcome)
    outcome.announceRenames(in: context)
    endMerges(of: changes.others)
    saved.append(outcome.share)
    written.append(outcome)
  }

  /// Announces to child contexts into which objects a merge policy merged new objects, and removes
  /// the undo steps, which cannot restore the merged objects.
  ///
  /// - Parameter objects: The objects that the policy changed.
  private func endMerges(of objects: [NSManagedObject]) {
    let merged = objects.filter { $0.registration == .detached && $0.extras?.survivor != nil }
    guard !merged.isEmpty else { return }
    context.children.announce(merged.compactMap(ObjectRename.init(ofMerged:)))
    context.undoRecorder?.forgetSteps()
  }

  /// Ends the save after a store failed. Announces the changes that merge policies made before the
  /// failure, and the changes that other stores have written.
  ///
  /// - Returns: The error to throw: `error` if no store has written changes, otherwise an error
  ///   that names the written stores.
  func end(_ error: any Error, in store: NSPersistentStore) -> any Error {
    context.processPendingChanges()
    endMerges(of: merged)
    guard !written.isEmpty else { return error }
    context.counters.countSave(of: saved)
    announce()
    return CocoaError.incomplete(
      "The save",
      "The objects of the written stores are saved. The other objects keep their unsaved changes. Fix the cause, and "
        + "save again.",
      store, after: written.map(\.store), error)
  }

  /// Marks saved objects as unchanged and removes deleted objects from the context.
  ///
  /// - Parameter position: The index of the written store, or nil for all changes of the context.
  private func acceptChanges(at position: Int? = nil) {
    let ended = context.unitOfWork.end(.save, at: position)
    for object in ended.settle({ $0.acceptChanges(after: $1) }) {
      // The id must still name the store when notifications are read.
      object.detachKeepingID()
    }
    if !context.unitOfWork.hasChanges { context.memberships.forgetChanges() }
  }

  // MARK: Announcement

  /// Returns objects as a set for a notification.
  func set(of objects: [NSManagedObject]) -> Set<NSManagedObject> { announcedSets.set(of: objects) }

  /// Announces the saved changes to the objects, observers, other contexts and other coordinators.
  private func announce() {
    context.observation.compare(in: context.registry)
    announceResolved()
    callDidSave()
    var userInfo: [AnyHashable: Any] = [
      NSInsertedObjectsKey: set(of: saved.inserted), NSUpdatedObjectsKey: set(of: saved.updated),
      NSDeletedObjectsKey: set(of: saved.deleted), "managedObjectContext": context,
    ]
    // Assigning nil would look the key up.
    if let generation = context.source.pinnedGeneration() {
      userInfo[NSManagedObjectContextQueryGenerationKey] = generation
    }
    if let token = SavedChanges.token(of: written) { userInfo[HistoryName.changeToken] = token }
    Notification(name: .NSManagedObjectContextDidSave, object: context, userInfo: userInfo)
      .announce(.didSave)
    IDNotifications.announceSave(of: saved, in: context, userInfo)
    for outcome in written { context.persistentStoreCoordinator?.announce(outcome, from: context) }
    context.children.announce(
      inserted: saved.inserted, updated: saved.updated + recomputed, deleted: saved.deleted)
    for outcome in written {
      RemoteChanges.storeChanged(outcome.store.identifier, at: outcome.transaction)
    }
    callFaultHooksOfDeleted()
  }

  /// Calls `didSave()` on the saved objects. Objects whose deletion was saved are already detached,
  /// but count as deleted until all calls have returned.
  private func callDidSave() {
    for object in saved.deleted { object.setDeleting(true) }
    saved.forEach { $0.didSave() }
    for object in saved.deleted { object.setDeleting(false) }
  }

  /// Calls the fault hooks on realized objects whose deletion was saved. The objects keep their
  /// values, which observers may still read.
  private func callFaultHooksOfDeleted() {
    for object in saved.deleted
    where object.registration == .detached && object.contents.hasValues {
      object.willTurnIntoFault()
      object.didTurnIntoFault()
    }
  }

  /// Announces the changes that merge policies and stores made to objects during the save.
  ///
  /// Objects that the merge policy removed from the context are announced as deleted. All other
  /// objects that the merge policy changed are announced as refreshed, except with the overwrite
  /// policy. Objects for which a store computed values are announced as refreshed.
  private func announceResolved() {
    guard !resolved.isEmpty || !recomputed.isEmpty else { return }
    // With the overwrite policy, the values of the objects have not changed.
    let overwrites =
      (context.mergePolicy as? NSMergePolicy)?.mergeType == .overwriteMergePolicyType
    let announcement = ChangeAnnouncement(
      deleted: resolved.filter { $0.registration == .detached },
      refreshed: ((overwrites ? [] : resolved) + recomputed)
        .filter { $0.registration == .persistent })
    announcement.post(from: context)
  }
}
