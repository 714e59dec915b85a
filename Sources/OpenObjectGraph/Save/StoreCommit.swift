internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// The commit of a save to one store, in one transaction.
///
/// Objects do not change before the store has committed, except that new objects have provisional
/// keys while the store writes. After a failure, the new objects receive their temporary keys
/// again. Confined to one save.
struct StoreCommit {
  let store: NSPersistentStore
  private let position: Int
  private let context: NSManagedObjectContext
  private let share: SaveSet
  /// Objects whose stored rows must be unchanged at the commit, even if the save does not write the
  /// objects.
  private let guarded: [NSManagedObject]
  /// Whether the application has set metadata of the store that is not yet written.
  private let hasMetadata: Bool

  /// Creates the commit of one store's objects.
  ///
  /// - Throws: `CocoaError` if the metadata cannot be written.
  init(
    of share: SaveSet, to store: NSPersistentStore, at position: Int,
    in context: NSManagedObjectContext
  ) throws {
    self.share = share
    self.store = store
    self.position = position
    self.context = context
    guarded = context.guardedObjects.unchanged(at: position)
    let metadata = try store.pendingMetadata()
    hasMetadata = metadata != nil
    if let metadata, store.isReadOnly {
      store.forget(metadata)
      throw CocoaError.make(
        .persistentStoreSave,
        "The metadata of a store that is open for reading only cannot be changed. The new metadata was discarded.",
        path: store.url?.path)
    }
  }

  /// Whether the store has nothing to write and no guarded rows to compare.
  var isEmpty: Bool { share.isEmpty && !hasMetadata && guarded.isEmpty }

  /// Checks the relationships of the objects before a save writes to the first of several stores.
  ///
  /// - Throws: `CocoaError` 133010 for a destination in another store, 1550 for a destination that
  ///   cannot be saved.
  func requireSavableReferences() throws {
    var builder = ChangeSetBuilder(share: share)
    do throws(StoreError) {
      try builder.checkReferences()
    } catch {
      throw UnfitValue.saveError(error, in: context)
    }
  }

  /// Writes the changes. If there are conflicts, the merge policy resolves them and the commit is
  /// repeated.
  ///
  /// - Throws: `CocoaError`. After an error, nothing has been written, and all objects keep their
  ///   edits and temporary keys.
  func run() throws -> SavedChanges {
    try store.refuseReadOnly()
    if store.namesObjectsItself { try PermanentIDs.assign(to: share.inserted, in: context) }
    var share = share
    let attempts = 32
    var isUnexplained = false
    for attempt in 1...attempts {
      Self.pause(before: attempt)
      try surfacingErrors { try context.memberships.readOrders() }
      var builder = ChangeSetBuilder(share: share)
      let outcome: CommitOutcome
      do {
        try pack(&builder)
        try store.writes.begin()
        defer { store.writes.end() }
        outcome = try store.commit(&builder.changes, of: share, in: context)
      } catch {
        builder.restoreTemporaryKeys()
        throw UnfitValue.saveError(error, in: context)
      }
      switch outcome {
      case .committed(let recomputed, let transaction):
        return changes(of: &builder, recomputed, transaction)
      case .conflicts(let conflicts):
        builder.restoreTemporaryKeys()
        // Another process may have changed these rows. Other contexts must not read them from the
        // cache.
        store.rowCache.remove(conflicts.flatMap(\.outdatedRows))
        let resolver = ConflictResolver(context: context, store: store, position: position)
        let wasUnexplained = isUnexplained
        isUnexplained = try !context.source.readingNewest { try resolver.resolve(conflicts) }
        // The first time, another context may have changed the other row after the commit failed.
        if isUnexplained, wasUnexplained { try refuseViolation(in: conflicts) }
        share = context.unitOfWork.changes.share(of: position)
      }
    }
    throw CocoaError.make(
      .managedObjectMerge,
      "Nothing was saved because the objects to save changed repeatedly in the store. Save again.")
  }

  /// Waits for a random time before the fifth and later attempts, so that programs that save the
  /// same objects at the same time do not conflict in every attempt.
  private static func pause(before attempt: Int) {
    guard attempt > 4 else { return }
    let longest = min(0.25, 0.001 * Double(1 << attempt))
    Thread.sleep(forTimeInterval: .random(in: 0...longest))
  }

  /// Throws an error if the store reports a violated constraint, but the context finds no objects
  /// with equal values.
  private func refuseViolation(in conflicts: [StoreConflict]) throws {
    for case .constraint(_, let entityIndex, let properties) in conflicts {
      throw CocoaError.make(
        .managedObjectConstraintMerge,
        "Nothing was saved because an object violates the uniqueness constraint (\(properties.joined(separator: ", "))) "
          + "of the entity \(context.model.entities[entityIndex].name), but no other object has the same values. "
          + "Change the values, or check the unique indexes of the store.")
    }
  }

  private func pack(_ builder: inout ChangeSetBuilder) throws(StoreError) {
    builder.recordOrigin(of: context, in: store)
    builder.guarded = guarded
    try builder.archiveValues()
    try builder.pack(naming: .newRows)
  }

  /// Returns the changes that the store has written, with the keys that the store assigned.
  private func changes(
    of builder: inout ChangeSetBuilder, _ recomputed: [ObjectKey], _ transaction: Int64?
  ) -> SavedChanges {
    builder.adoptKeys()
    let saved = SavedChanges(store: store, position: position, builder: builder)
    saved.transaction = transaction
    if !recomputed.isEmpty { saved.read(recomputed, of: context.model) }
    return saved
  }
}

/// The changes that one store wrote, for the saved objects and for other contexts.
// Invariant of the unchecked conformance: `share`, `rows` and `rekeyed` are used by the saving
// context only; the other fields are values that do not change after other contexts receive them.
final class SavedChanges: @unchecked Sendable {
  let store: NSPersistentStore
  let position: Int
  /// The saved objects. The set also retains the objects of `rows` and `rekeyed`.
  let share: SaveSet
  private let rows: [PackedObject]
  private let rekeyed: [RekeyedObject]
  /// The chunks that contain `rows`.
  private let chunks: [RowChunk]
  private let changes: ChangeSet
  /// Rows in which the store computed values.
  @exclusivity(unchecked) private(set) var recomputed: [Row] = []
  /// The chunks that contain `recomputed`.
  @exclusivity(unchecked) private var recomputedChunks: [RowChunk] = []
  /// The rows in which the store computed values that could not be read after the commit.
  @exclusivity(unchecked) private(set) var unread: [ObjectKey] = []
  /// The number of the transaction in the store's history; nil if the store records no history.
  @exclusivity(unchecked) var transaction: Int64?

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
  var joinRows: [ChangeSet.JoinRow] { changes.joinRows }
  var orderings: [ChangeSet.Ordering] { changes.orderings }

  /// Reads the rows in which the store computed values, so that the objects receive these values.
  func read(_ keys: [ObjectKey], of model: CompiledModel) {
    let roots = Dictionary(grouping: keys, by: model.root(of:))
    for (root, keys) in roots.sorted(by: { $0.key < $1.key }) {
      do {
        let chunk = try store.backend.rows(of: model.entities[root], keys: keys.map(\.key))
        recomputedChunks.append(chunk)
        chunk.forEachRow { recomputed.append($0) }
      } catch {
        // The save stands. The objects become faults, which read the computed values.
        GraphLog.error("Computed values could not be read after a save: \(error)")
        unread += keys
      }
    }
  }

  /// Replaces the objects' rows by the saved rows, and registers new objects under their permanent
  /// keys.
  ///
  /// - Returns: The objects whose changes the save did not write, but for which the store computed
  ///   values.
  func adopt(in context: NSManagedObjectContext) -> [NSManagedObject] {
    store.rowCache.publish(rows, in: chunks)
    for chunk in recomputedChunks { store.rowCache.publish(chunk) }
    store.rowCache.remove(deleted + unread)
    context.registry.identityMap.rekey(rekeyed)
    for entry in rekeyed { entry.object.cachedID = nil }
    for packed in rows { borrowing(packed.object) { $0.adopt(packed.row) } }
    return recomputed.compactMap { adopt(computed: $0, in: context) }
  }

  /// Replaces an object's row by the row in which the store computed values.
  ///
  /// - Returns: The object, if observed results may contain it or the object is not a fault, and
  ///   the save did not write changes of the object.
  private func adopt(computed row: Row, in context: NSManagedObjectContext) -> NSManagedObject? {
    let entity = context.model.entities[row.entityIndex]
    let root = entity.rootIndex
    let isObserved = context.observedEntities.contains(root: root)
    var object = context.registry.identityMap.object(store: position, root: root, key: row.key)
    if object == nil, isObserved {
      object = context.registered(entity, key: row.key, store: position)
    }
    guard let object else { return nil }
    if object.contents != .fault, object.represents(row) {
      // The row may also contain values that another context has saved.
      context.memberships.replaceRow(of: object, with: row, keepsEdits: false)
    }
    let isOther = object.registration == .persistent && !object.isMarkedUpdated
    return isOther && (isObserved || object.contents.hasValues) ? object : nil
  }

  /// Turns the objects whose computed values could not be read into faults. Call this method after
  /// the saved objects were marked as unchanged.
  func dropUnreadRows(in context: NSManagedObjectContext) {
    for id in unread {
      let object = context.registry.identityMap.object(
        store: position, root: context.model.root(of: id), key: id.key)
      if let object, object.registration == .persistent, !object.isMarkedUpdated {
        object.turnIntoFault()
      }
    }
  }

  /// Announces to child contexts the permanent keys that replaced temporary keys.
  func announceRenames(in context: NSManagedObjectContext) {
    context.children.announce(
      rekeyed.map { ObjectRename(of: $0.object, from: $0.temporaryKey) })
  }
}
