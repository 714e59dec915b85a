internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

// The save path: pending changes → hooks → validation → change set → commit → adopt → announce. A throw
// before adopting leaves every edit pending and nothing written.

extension NSManagedObjectContext {
  /// Writes the pending changes to the stores.
  ///
  /// Every change to a store is written, or none is; after an error the context still holds its edits. With several
  /// stores each is written in a transaction of its own. A child context's changes become unsaved changes of its
  /// parent; nothing is written.
  ///
  /// - Throws: `CocoaError` with Apple's codes: 1550–1690 for validation (1560 with all failures under
  ///   `NSDetailedErrors`), 133020 for rows that changed meanwhile, 133021 for uniqueness constraints, 134030
  ///   for a store that cannot be written. `ObjectError` for a mistake noted since the last save.
  /// - Complexity: O(changed objects); one transaction, a statement for each changed row.
  /// > Reference: Apple, save().
  public func save() throws {
    checkQueue("a save was made")
    try loadingFreely { () throws(any Error) in try saveChanges() }
  }

  private func saveChanges() throws {
    try throwSaveWhileValidating()
    let stores = try requireStores("save")
    try throwViolation()
    try throwMisuses()
    announcedSets = AnnouncedSets()
    defer { announcedSets = nil }
    beginUndoOfSave()
    defer { endUndoOfSave() }
    processPendingChanges()
    var isSaved = false
    defer {
      askedListings = nil
      // Saved objects have no marks any more.
      if !isSaved { forgetAsked() }
    }
    try runHooks()
    let changes: SaveSet
    var saved: [SavedChanges] = []
    if let parentContext {
      changes = SaveSet(unitOfWork)
      try save(changes, into: parentContext)
    } else {
      for store in stores {
        if let outcome = try commit(to: store) { saved.append(outcome) }
      }
      // A merge policy may have changed what there was to save.
      changes = SaveSet(unitOfWork)
      let resolved = unitOfWork.takeUnannounced()
      adopt(changes, saved)
      advanceGeneration()
      announce(resolved: resolved)
    }
    isSaved = true
    guardedObjects.removeAll()
    countSave(of: changes)
    announceSave(of: changes, saved)
  }

  /// Throws the first mistake that a call noted because it could not throw.
  func throwMisuses() throws {
    guard let first = misuses.first else { return }
    misuses.removeAll()
    throw first
  }

  private func runHooks() throws {
    try runWillSaveHooks()
    try validatePendingChanges()
  }

  private func runWillSaveHooks() throws {
    try runWillSave()
    NotificationCenter.default.post(name: .NSManagedObjectContextWillSave, object: self)
    processPendingChanges()
    try runWillSave()
    try throwMisuses()
  }

  /// Asks each changed object once more as long as hooks bring in new ones.
  func runWillSave() throws {
    let rounds = 1000
    for _ in 0..<rounds {
      // The lists have no object that was not asked unless one came since.
      guard askedListings != unitOfWork.listings else { return }
      askedListings = unitOfWork.listings
      for list in [unitOfWork.inserted, unitOfWork.updated, unitOfWork.deleted] {
        list.forEachBorrowed { object in
          guard !object.flags.contains(.askedWillSave) else { return }
          object.flags.insert(.askedWillSave)
          object.willSave()
        }
      }
      processPendingChanges()
    }
    throw CocoaError.make(
      .coreData, "willSave() brought in new changed objects \(rounds) times; the save was given up."
    )
  }

  private func forgetAsked() {
    for list in [unitOfWork.inserted, unitOfWork.updated, unitOfWork.deleted] {
      list.forEachBorrowed { $0.flags.remove(.askedWillSave) }
    }
  }

  // MARK: Commit

  /// Writes one store's share; conflicts go to the merge policy, and the commit is tried again.
  private func commit(to store: NSPersistentStore) throws -> SavedChanges? {
    guard let position = persistentStoreCoordinator?.position(of: store) else { return nil }
    var share = SaveSet(unitOfWork).share(of: position)
    guard !share.isEmpty || store.pendingMetadata != nil || !guardedObjects(at: position).isEmpty
    else { return nil }
    if store.isReadOnly {
      throw CocoaError.make(
        .persistentStoreSave, "The store is open for reading only; nothing was saved.",
        path: store.url?.path)
    }
    let attempts = 16
    for _ in 0..<attempts {
      var builder = ChangeSetBuilder(share: share, metadata: store.pendingMetadata)
      builder.recordOrigin(of: self, in: store)
      builder.guarded = guardedObjects(at: position)
      let outcome: CommitOutcome
      do {
        outcome = try store.backend.commit(reserving: builder.newKeyCounts) {
          keys throws(StoreError) in try builder.make(keys)
        }
      } catch {
        builder.restoreTemporaryKeys()
        throw CocoaError.make(error)
      }
      switch outcome {
      case .committed(let recomputed, let transaction):
        store.forgetPendingMetadata()
        var saved = SavedChanges(store: store, position: position, builder: builder)
        saved.transaction = transaction
        if !recomputed.isEmpty { try read(recomputed, into: &saved) }
        return saved
      case .conflicts(let conflicts):
        builder.restoreTemporaryKeys()
        try ConflictResolver(context: self, store: store, position: position)
          .resolve(conflicts)
        share = SaveSet(unitOfWork).share(of: position)
      }
    }
    throw CocoaError.make(
      .managedObjectMerge, "The objects to save kept changing in the store; nothing was saved.")
  }

  /// Reads the rows in which the store computed values, for the objects that hold older ones.
  private func read(_ recomputed: [ObjectKey], into saved: inout SavedChanges) throws {
    let roots = Dictionary(grouping: recomputed) { model.entities[Int($0.entityIndex)].rootIndex }
    for (root, keys) in roots.sorted(by: { $0.key < $1.key }) {
      do {
        let chunk = try saved.store.backend.rows(of: model.entities[root], keys: keys.map(\.key))
        saved.recomputedChunks.append(chunk)
        chunk.forEachRow { saved.recomputed.append($0) }
      } catch {
        // The save stands; its computed values are read when the objects are next refreshed.
        GraphLog.error("Computed values could not be read after a save: \(error)")
      }
    }
  }

  // MARK: After the commit

  private func adopt(_ changes: SaveSet, _ saved: [SavedChanges]) {
    for outcome in saved {
      outcome.store.rowCache.publish(outcome.rows, in: outcome.chunks)
      for chunk in outcome.recomputedChunks { outcome.store.rowCache.publish(chunk) }
      outcome.store.rowCache.remove(outcome.deleted)
      registry.identityMap.rekey(outcome.rekeyed)
      for entry in outcome.rekeyed { entry.object.cachedID = nil }
      for packed in outcome.rows {
        borrowing(packed.object) { adopt(packed.row, by: $0) }
      }
      for row in outcome.recomputed { adoptComputed(row, of: outcome.position) }
    }
    becomeClean(changes)
    announceRenames(saved)
  }

  /// Makes saved objects unchanged ones; deleted ones leave the context.
  func becomeClean(_ changes: SaveSet) {
    clearUnitOfWork { becomeClean($0) }
    for object in changes.deleted {
      // The id must still name the store when notifications are read.
      object.cachedID = object.objectID
      object.detach()
    }
  }

  /// Tells child contexts which keys took the place of temporary ones.
  private func announceRenames(_ saved: [SavedChanges]) {
    let children = children.all
    guard !children.isEmpty else { return }
    let renames = saved.flatMap { outcome in
      outcome.rekeyed.map { entry in
        ObjectRename(
          store: outcome.position, root: entry.object.compiledEntity.rootIndex,
          temporaryKey: entry.temporaryKey, key: entry.object.key)
      }
    }
    for child in children { child.registry.note(renames) }
  }

  /// Puts the saved row under an object's values, which are unsaved until it becomes clean.
  func adopt(_ row: consuming Row, by object: NSManagedObject) {
    object.row = row
    object.contents = .realized
  }

  private func adoptComputed(_ row: Row, of position: Int) {
    let root = model.entities[row.entityIndex].rootIndex
    let object = registry.identityMap.object(store: position, root: root, key: row.key)
    if let object, object.contents != .unresolved { object.row = row }
  }

  private func becomeClean(_ object: NSManagedObject) {
    let wasInserted = object.registration == .inserted
    object.registration = .persistent
    keepTransientValues(of: object)
    object.edits.removeAll()
    object.forgetDestinations()
    borrowing(object.extras) { extras in
      if let baseline = extras.undoBaseline {
        extras.undoBaseline = baseline.afterSave(of: object.compiledEntity)
      }
      extras.adoptMembers()
      if wasInserted { registry.noteLists(of: object, extras) }
    }
  }

  private func keepTransientValues(of object: NSManagedObject) {
    guard object.edits.mayHaveBoxes else { return }
    object.edits.forEach { ordinal, edit in
      guard case .boxed(let box) = edit else { return }
      object.makeExtras().values[ordinal] = box.value
    }
  }

  private func announceSave(of changes: SaveSet, _ saved: [SavedChanges]) {
    for list in [changes.inserted, changes.updated, changes.deleted] {
      list.forEachBorrowed { $0.didSave() }
    }
    var userInfo: [AnyHashable: Any] = [
      NSInsertedObjectsKey: set(of: changes.inserted),
      NSUpdatedObjectsKey: set(of: changes.updated),
      NSDeletedObjectsKey: set(of: changes.deleted), "managedObjectContext": self,
    ]
    if let token = pinnedGeneration() {
      userInfo[NSManagedObjectContextQueryGenerationKey] = token
    }
    userInfo[HistoryName.changeToken] = SavedChanges.token(of: saved)
    NotificationCenter.default.post(
      name: .NSManagedObjectContextDidSave, object: self, userInfo: userInfo)
    announceSavedIDs(of: changes)
    for outcome in saved { persistentStoreCoordinator?.announce(outcome, from: self) }
    announceToChildren(
      inserted: changes.inserted, updated: changes.updated, deleted: changes.deleted)
    for outcome in saved {
      RemoteChanges.storeChanged(outcome.store.identifier, at: outcome.transaction)
    }
  }
}

/// The objects of one save, as they stood when it began to write.
struct SaveSet {
  let inserted: [NSManagedObject]
  let updated: [NSManagedObject]
  let deleted: [NSManagedObject]

  init(inserted: [NSManagedObject], updated: [NSManagedObject], deleted: [NSManagedObject]) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
  }

  init(_ unitOfWork: UnitOfWork) {
    self.init(
      inserted: unitOfWork.inserted, updated: unitOfWork.updated, deleted: unitOfWork.deleted)
  }

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  /// The objects that belong to the store at a position.
  func share(of position: Int) -> SaveSet {
    func mine(_ objects: [NSManagedObject]) -> [NSManagedObject] {
      if objects.allSatisfy({ Int($0.storePosition) == position }) { return objects }
      return objects.filter { Int($0.storePosition) == position }
    }
    return SaveSet(inserted: mine(inserted), updated: mine(updated), deleted: mine(deleted))
  }
}

/// What one store wrote, for the objects that take it over and for the other contexts.
// Invariant of the unchecked conformance: `rows` and `rekeyed` are used by the saving context only; the other
// fields are values.
struct SavedChanges: @unchecked Sendable {
  let store: NSPersistentStore
  let position: Int
  /// What was saved: keeps the objects of `rows` and `rekeyed`.
  private let share: SaveSet
  let rows: [PackedObject]
  let rekeyed: [RekeyedObject]
  /// Where `rows` are.
  let chunks: [RowChunk]
  private let changes: ChangeSet
  /// Rows in which the store computed values.
  var recomputed: [Row] = []
  /// Where `recomputed` are.
  var recomputedChunks: [RowChunk] = []
  /// Number of the transaction in the store's history; nil without history.
  var transaction: Int64?

  init(store: NSPersistentStore, position: Int, builder: ChangeSetBuilder) {
    self.store = store
    self.position = position
    share = builder.share
    rows = builder.rows
    rekeyed = builder.rekeyed
    chunks = builder.chunks
    changes = builder.changes
  }

  var inserted: [Row] { changes.inserted }
  var updated: [Row] { changes.updated.map(\.row) }
  var deleted: [ObjectKey] { changes.deleted.map(\.id) }
  var links: [ChangeSet.Link] { changes.links }
  var orderings: [ChangeSet.Ordering] { changes.orderings }
}
