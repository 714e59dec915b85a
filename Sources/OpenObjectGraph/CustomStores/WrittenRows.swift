internal import OpenObjectModel
internal import OpenStoreContract
internal import Synchronization

/// The newest known versions of rows in an incremental store.
///
/// The row cache contains a row only while an object uses the row. Therefore, a save also compares
/// its changes with this table, which contains the rows that contexts of the coordinator have
/// updated or deleted, and the rows that have caused a conflict. Only a context that has registered
/// the object of a row can save an older version of the row, so the other rows are removed when
/// there are many.
///
/// > Concurrency: Usable on any thread.
final class WrittenRows: Sendable {
  /// The identity of a row: the position of its root entity, and its key.
  private struct Place: Hashable {
    let root: Int
    let key: Int64
  }

  /// The newest known state of a row.
  struct Known {
    var version: Int64
    var isDeleted = false
    /// The number of removals before this state was recorded.
    fileprivate var round = 0
  }

  private struct State {
    private(set) var rows: [Place: Known] = [:]
    /// The number of removals.
    var round = 0
    /// The number of rows at which the next removal begins.
    var limit = WrittenRows.growth

    subscript(place: Place) -> Known? {
      get { rows[place] }
      set {
        rows[place] = newValue
        rows[place]?.round = round
      }
    }
  }

  private static let growth = 1024
  private let state = Mutex(State())
  /// The contexts that may have objects of the store.
  let readers = WeakContexts()

  /// Returns the newest known state of a row; nil if the table does not contain the row.
  func known(root: Int, key: Int64) -> Known? {
    state.withLock { $0[Place(root: root, key: key)] }
  }

  /// The number of rows in the table.
  var count: Int { state.withLock { $0.rows.count } }

  /// Records a version of a row in the store.
  func note(_ version: Int64, root: Int, key: Int64) {
    let place = Place(root: root, key: key)
    state.withLock { rows in
      rows[place] = Known(version: max(version, rows[place]?.version ?? version))
    }
  }

  /// Records that the store has returned the values of a row.
  ///
  /// - Parameters:
  ///   - version: The version of the values.
  ///   - root: The position of the row's root entity.
  ///   - key: The key of the row.
  /// - Returns: The version of the row, which is not lower than the known version.
  func noteRead(_ version: Int64, root: Int, key: Int64) -> Int64 {
    let place = Place(root: root, key: key)
    return state.withLock { rows in
      guard let known = rows[place] else { return version }
      if known.isDeleted { rows[place] = Known(version: known.version) }
      return max(version, known.version)
    }
  }

  /// Records the changes that the store has written.
  func note(_ changes: ChangeSet, of model: CompiledModel) {
    func place(_ entityIndex: Int, _ key: Int64) -> Place {
      Place(root: model.entities[entityIndex].rootIndex, key: key)
    }
    state.withLock { rows in
      for row in changes.inserted {
        let new = place(row.entityIndex, row.key)
        // If the deletion of an object is undone, the object's row is inserted again.
        if rows[new] != nil { rows[new] = Known(version: row.version) }
      }
      for update in changes.updated {
        rows[place(update.row.entityIndex, update.row.key)] = Known(version: update.row.version)
      }
      for deletion in changes.deleted {
        rows[place(Int(deletion.id.entityIndex), deletion.id.key)] = Known(
          version: deletion.expectedVersion &+ 1, isDeleted: true)
      }
    }
  }

  /// Removes the rows whose objects no context has registered, if the table has grown.
  ///
  /// Rows that were recorded since the last removal stay, because a context may have read an older
  /// version of such a row and may not have registered the object yet.
  ///
  /// - Parameter position: The position of the store.
  func removeUnregistered(at position: Int) {
    guard let old = startRemoval() else { return }
    let contexts = readers.all
    let unregistered = old.filter { place in
      !contexts.contains { context in
        let objects = context.registry
        return objects.identityMap.object(store: position, root: place.root, key: place.key) != nil
      }
    }
    endRemoval(of: unregistered, keeping: old.count - unregistered.count)
  }

  /// Returns the rows that were recorded before the last removal; nil if no removal is due.
  private func startRemoval() -> [Place]? {
    state.withLock { state in
      guard state.rows.count >= state.limit else { return nil }
      state.limit = .max
      return state.rows.filter { $0.value.round < state.round }.map(\.key)
    }
  }

  /// Removes rows, except rows that were recorded during the removal.
  private func endRemoval(of places: [Place], keeping kept: Int) {
    state.withLock { state in
      for place in places where state[place].map({ $0.round < state.round }) == true {
        state[place] = nil
      }
      state.round += 1
      state.limit = state.rows.count + max(Self.growth, kept)
    }
  }
}

extension NSPersistentStore {
  /// Removes outdated rows from the row cache, so that later faults of every context read the newer
  /// rows. Saves of objects with the older rows still find conflicts.
  final func removeOutdatedRows(_ keys: [ObjectKey], _ model: CompiledModel) {
    requests?.keepVersions(of: keys, in: rowCache, model)
    rowCache.remove(keys)
  }
}

extension RequestBackend {
  /// Returns whether a context of the coordinator has deleted the row of an object.
  func isDeleted(_ object: NSManagedObject) -> Bool {
    written.known(root: object.compiledEntity.rootIndex, key: object.key)?.isDeleted ?? false
  }

  /// Records the versions of cached rows that are about to be removed from the row cache, so that
  /// saves of objects with older rows still find conflicts.
  func keepVersions(of keys: [ObjectKey], in cache: RowCache, _ model: CompiledModel) {
    for id in keys {
      let root = model.root(of: id)
      guard let row = cache.row(root: root, key: id.key) else { continue }
      written.note(row.version, root: root, key: id.key)
    }
  }

  /// Returns the state of a row that contexts of the coordinator have changed; nil if the row still
  /// has the expected version.
  func change(
    since expected: Int64, of entity: CompiledEntity, key: Int64, in context: NSManagedObjectContext
  ) throws(StoreError) -> RowLookup? {
    let root = entity.rootIndex
    let known = written.known(root: root, key: key)
    if let known, known.isDeleted { return .deleted }
    let version = known?.version ?? 0
    if let cached = try openStore().rowCache.row(root: root, key: key),
      cached.version != expected, cached.version >= version
    {
      // The next save must find the conflict again, even if the cache no longer has the row.
      written.note(cached.version, root: root, key: key)
      return .found(cached)
    }
    guard version > expected else { return nil }
    var row: Row?
    for chunk in try chunks(of: entity, keys: [key], in: context) {
      chunk.forEachRow { row = $0 }
    }
    return row.map(RowLookup.found)
  }
}
