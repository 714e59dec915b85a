internal import OpenObjectModel
internal import OpenStoreContract

/// One merge of changes by another context or process into a context.
///
/// The merge replaces the rows under the context's unsaved changes, deletes objects, and unloads
/// lists of members that are no longer valid. Each merge creates its own merger, which runs on the
/// context's queue. The cost is proportional to the number of changes. Only a merge of deletions
/// whose source is a store also examines the registered objects.
struct ChangeMerger {
  private let context: NSManagedObjectContext
  private var changes: ForeignChanges
  private var pairs: PairSettlement
  /// Objects whose former lists no row identifies: their former row is unknown, or they were
  /// restored.
  private var unread: [NSManagedObject] = []
  /// The rows of a later save that replaced rows of this save, by root entity and key; nil for rows
  /// that the later save deleted.
  private var later: [Int: [Int64: Row?]] = [:]
  /// The inserted and refreshed objects, for the notification.
  private var merged = ChangeAnnouncement()

  init(_ changes: ForeignChanges, into context: NSManagedObjectContext) {
    self.changes = changes
    self.context = context
    pairs = PairSettlement(.unsaved, in: context)
  }

  /// Merges the changes and announces the result.
  mutating func run() {
    guard context.persistentStoreCoordinator != nil else { return }
    context.refreshStores()
    context.source.advanceGeneration()
    context.source.adoptRenames(in: context)
    changes.addReferringObjects(in: context.registry)
    // Retains the rows until they are attached to their objects.
    let chunks = readRows()
    defer { withExtendedLifetime(chunks) {} }
    findLaterRows()
    let deleted: [NSManagedObject] = changes.deleted.compactMap {
      isHere($0) ? registered($0) ?? observedDeletion($0) : nil
    }
    MissingRow.accept(of: deleted, in: context)
    for change in changes.updated where isHere(change) { update(change) }
    for change in changes.inserted where isHere(change) { insert(change) }
    unloadLists()
    pairs.settle()
    context.memberships.unloadLists(admitting: unread)
    announce(deleted: deleted)
  }

  // MARK: Objects

  /// Whether the context can contain the object: the object's store is attached, or the object is
  /// unsaved and in the context or in an ancestor of the context.
  private func isHere(_ change: ForeignChanges.Change) -> Bool {
    guard change.key < 0 else { return context.registry.isAttached(change.store) }
    return context.source.mayHaveRow(presentPlace(of: change).key) || registered(change) != nil
  }

  private func entity(of change: ForeignChanges.Change) -> CompiledEntity {
    context.model.entities[change.entityIndex]
  }

  private func registered(_ change: ForeignChanges.Change) -> NSManagedObject? {
    context.registry.object(
      root: entity(of: change).rootIndex, key: change.key, at: change.store)
  }

  private func makeFault(for change: ForeignChanges.Change) -> NSManagedObject {
    context.registered(actualEntity(of: change), key: change.key, store: change.store)
  }

  /// The entity of a changed row. The entity of a change may come from a URI, which may name a
  /// superentity.
  private func actualEntity(of change: ForeignChanges.Change) -> CompiledEntity {
    let place = presentPlace(of: change)
    let entity = entity(of: change)
    guard change.row == nil, let store = context.registry.store(at: place.store),
      store.requests == nil,
      let row = context.knownRow(root: entity.rootIndex, key: place.key, in: store)
    else { return entity }
    return context.model.entities[row.entityIndex]
  }

  /// The store and the key of a changed object; the parent context may have replaced them since the
  /// change was announced.
  private func presentPlace(of change: ForeignChanges.Change) -> (store: Int, key: Int64) {
    context.registry.presentPlace(ofKey: change.key, at: change.store)
  }

  /// Returns a fault for an object that is not registered yet; nil for an unsaved object that is
  /// not in the parent of the context.
  private func unregistered(_ change: ForeignChanges.Change) -> NSManagedObject? {
    let place = presentPlace(of: change)
    if place.key < 0 {
      guard let store = context.registry.store(at: place.store),
        context.knownRow(root: entity(of: change).rootIndex, key: place.key, in: store) != nil
      else { return nil }
    }
    return makeFault(for: change)
  }

  /// Whether an observed result may contain the object.
  private func isObserved(_ change: ForeignChanges.Change) -> Bool {
    context.observedEntities.contains(root: entity(of: change).rootIndex)
  }

  /// Returns an object that is not registered yet, if an observed result may contain it.
  private func observed(_ change: ForeignChanges.Change) -> NSManagedObject? {
    isObserved(change) ? unregistered(change) : nil
  }

  /// Returns a deleted object that is not registered, if an observed result depends on it.
  ///
  /// A result of a child context may contain the object. In a result with an offset, it may precede
  /// the first object.
  private func observedDeletion(_ change: ForeignChanges.Change) -> NSManagedObject? {
    let root = entity(of: change).rootIndex
    guard
      context.observedEntities.contains(root: root, .child)
        || context.observedEntities.contains(root: root, .offset)
    else { return nil }
    return makeFault(for: change)
  }

  // MARK: Rows

  /// Whether the merge uses the row of an updated object.
  private func isNeeded(_ change: ForeignChanges.Change) -> Bool {
    registered(change) != nil || isObserved(change)
  }

  /// Finds the rows of a save that a later save replaced or deleted.
  ///
  /// A save announces its changes after the commit, so the context may already have merged the
  /// changes of a later save. The context does not know the later changes of an object that it has
  /// not registered, or whose row is missing.
  private mutating func findLaterRows() {
    guard case .save(_, _, let position) = changes.source,
      let store = context.registry.store(at: position)
    else { return }
    var unknown: [Int: [Int64]] = [:]
    for change in changes.inserted + changes.updated.filter({ isNewlyObserved($0) }) {
      guard let row = change.row else { continue }
      let root = entity(of: change).rootIndex
      if let cached = store.rowCache.row(root: root, key: change.key) {
        if cached.version > row.version { later[root, default: [:]][change.key] = cached }
      } else if let requests = store.requests {
        // A custom store may throw an error for a deleted object.
        let isDeleted = requests.written.known(root: root, key: change.key)?.isDeleted == true
        if isDeleted { later[root, default: [:]][change.key] = .some(nil) }
      } else {
        // The change retains its row, so the cache has the row unless another writer removed it.
        unknown[root, default: []].append(change.key)
      }
    }
    for (root, keys) in unknown { readLaterRows(of: root, keys, in: store) }
  }

  private mutating func readLaterRows(
    of root: Int, _ keys: [Int64], in store: NSPersistentStore
  ) {
    do {
      let chunks = try context.source.rows(of: context.model.entities[root], keys: keys, in: store)
      var rows: [Int64: Row] = [:]
      for chunk in chunks { chunk.forEachRow { rows[$0.key] = $0 } }
      for key in keys { later[root, default: [:]][key] = .some(rows[key]) }
    } catch {
      GraphLog.error("Changed rows could not be read for a merge: \(error)")
    }
  }

  /// Whether an object is not registered yet, and an observed result may contain it.
  private func isNewlyObserved(_ change: ForeignChanges.Change) -> Bool {
    isObserved(change) && registered(change) == nil
  }

  /// Returns a change with the newest row of its object; nil if a later save deleted the row.
  private func renewed(_ change: ForeignChanges.Change) -> ForeignChanges.Change? {
    guard !later.isEmpty, let found = later[entity(of: change).rootIndex]?[change.key] else {
      return change
    }
    guard let row = found else { return nil }
    var renewed = change
    renewed.row = row
    return renewed
  }

  /// Reads the rows of changed objects that are not cached or that another process may have
  /// written.
  private func readRows() -> [RowChunk] {
    if case .save = changes.source { return [] }
    removeOutdatedRows()
    var wanted: [Int: [Int: [Int64]]] = [:]
    for change in changes.updated.filter(isNeeded) + changes.inserted where isUnread(change) {
      // A custom store is asked for the id of each object, which has the object's entity.
      let isCustom = context.registry.store(at: change.store)?.requests != nil
      let entity = isCustom ? change.entityIndex : entity(of: change).rootIndex
      wanted[change.store, default: [:]][entity, default: []].append(change.key)
    }
    var chunks: [RowChunk] = []
    for (position, entities) in wanted {
      guard let store = context.registry.store(at: position) else { continue }
      for (entity, keys) in entities {
        do {
          let read = try context.source.rows(
            of: context.model.entities[entity], keys: keys, in: store)
          for chunk in read { context.source.publish(chunk, in: store) }
          chunks += read
        } catch {
          // The cached rows were removed, so each object reads its row from the store.
          GraphLog.error("Changed rows could not be read for a merge: \(error)")
        }
      }
    }
    return chunks
  }

  /// Removes the cached rows of changed objects if the stores may contain newer rows, so that later
  /// faults of every context read the newer rows.
  private func removeOutdatedRows() {
    guard case .stores = changes.source else { return }
    let all = changes.inserted + changes.updated + changes.deleted
    for (position, changes) in Dictionary(grouping: all, by: \.store) {
      guard let store = context.registry.store(at: position) else { continue }
      let keys = changes.map { ObjectKey(entityIndex: $0.entityIndex, key: $0.key) }
      store.removeOutdatedRows(keys, context.model)
    }
  }

  private func isUnread(_ change: ForeignChanges.Change) -> Bool {
    guard let store = context.registry.store(at: change.store) else { return false }
    return context.source.isUnread(
      root: entity(of: change).rootIndex, key: change.key, in: store, after: changes.source)
  }

  /// Replaces the row under a changed object's unsaved changes with the newest row.
  private func takeRow(of change: ForeignChanges.Change, _ object: NSManagedObject) {
    if let row = change.row {
      context.memberships.take(row, object)
    } else {
      ObjectRefresh(in: context).refreshRow(of: object)
    }
  }

  // MARK: Changes

  private mutating func update(_ change: ForeignChanges.Change) {
    let known = registered(change)
    guard let newest = known == nil ? renewed(change) : change,
      let object = known ?? observed(newest), object.registration == .persistent
    else {
      // A pending deletion also takes newer values, in case the deletion is undone.
      if let known, known.registration == .deleted { takeRow(of: change, known) }
      if let row = change.row {
        context.memberships.unloadLists(leftBy: nil, joinedBy: row, at: change.store)
      }
      return
    }
    let wasFault = !object.contents.hasValues
    if object.contents == .fault { unread.append(object) }
    // Without unsaved changes, nothing can contradict the row.
    if context.unitOfWork.hasChanges { pairs.note(object) }
    takeRow(of: newest, object)
    guard object.registry != nil else { return }
    if newest.row == nil { context.memberships.unloadLists(of: object) }
    if changes.announcesFaults || !wasFault
      || context.observedEntities.contains(root: object.compiledEntity.rootIndex)
    {
      merged.refreshed.append(object)
    }
  }

  private mutating func insert(_ change: ForeignChanges.Change) {
    let known = registered(change)
    guard let newest = known?.isRowMissing ?? true ? renewed(change) : change,
      let object = known ?? unregistered(newest)
    else { return }
    if takeBack(object) { unread.append(object) }
    if object.registration == .inserted { return }
    if let row = newest.row, object.contents == .fault {
      FaultResolver.attach(row, to: object)
    } else if known != nil {
      // The object was deleted and inserted again, or was read after it was saved.
      takeRow(of: newest, object)
    }
    if let row = newest.row ?? knownRow(of: object) {
      context.memberships.unloadLists(leftBy: nil, joinedBy: row, at: change.store)
    }
    if object.registration == .persistent { merged.inserted.append(object) }
  }

  private func knownRow(of object: NSManagedObject) -> Row? {
    object.store.flatMap {
      context.knownRow(root: object.compiledEntity.rootIndex, key: object.key, in: $0)
    }
  }

  /// Restores an object whose row was deleted and exists again, unless the program deleted the
  /// object.
  ///
  /// - Returns: Whether the object was restored.
  private func takeBack(_ object: NSManagedObject) -> Bool {
    guard object.isRowMissing else { return false }
    context.unitOfWork.move(object, by: .comeBack)
    guard object.registration == .persistent else { return false }
    if object.hasEdits {
      context.unitOfWork.update(object)
    }
    // The restored values are not an undo step of this context.
    context.undoRecorder?.takeBaseline(of: object)
    return true
  }

  /// Unloads the lists whose members no row identifies, so that they are read again.
  private func unloadLists() {
    switch changes.source {
    case .save(let joinRows, let orderings, let store):
      context.memberships.unloadLists(with: joinRows, orderings, at: store)
    case .context, .stores:
      let changed = changes.updated + changes.inserted
      context.memberships.unloadListsWithoutInverse(
        ofRoots: Set(changed.map { entity(of: $0).rootIndex }))
    }
  }

  private func announce(deleted: [NSManagedObject]) {
    let deleted = deleted.filter(\.isRowMissing)
    SnapshotEvents.announce(.refresh, to: merged.refreshed)
    context.observation.compare(in: context.registry)
    context.processPendingChanges(merging: merged)
    IDNotifications.announceMerge(merged, deleted, in: context)
    context.children.announce(
      inserted: merged.inserted, updated: merged.refreshed, deleted: deleted)
  }
}
