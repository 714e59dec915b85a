import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// The contents of a memory store. A copy is a snapshot that later commits do not change.
struct MemoryState: Sendable {
  let model: CompiledModel
  /// The rows by key, grouped by the index of the root entity.
  private(set) var tables: [Int: [Int64: Row]] = [:]
  private(set) var joinTables = MemoryJoinTables()
  private(set) var orders = MemberOrders()
  private(set) var foreignKeys: ForeignKeyIndex
  private(set) var metadata: StoreMetadata
  /// The number of commits. A writer compares this number to detect commits of other writers.
  private(set) var revision = 0
  private(set) var constraints: UniquenessIndex
  /// The persistent history, or nil if the store does not record a history.
  var log: HistoryLog?
  /// The first unused key by the index of the root entity. If all entities share one key space, the
  /// only entry has the index 0.
  private(set) var nextKeys: [Int: Int64] = [:]
  private let keySpace: StoreContents.KeySpace
  /// The metadata that belongs to the store and that an application cannot change.
  private let fixedMetadata: StoreMetadata
  /// The number of rows that commits visited to find references to deleted rows.
  private(set) var visitedRowCount = 0
  private(set) var isClosed = false

  /// Creates a state without rows, with the metadata and the next keys of the given contents.
  init(model: CompiledModel, contents: StoreContents, tracksHistory: Bool) {
    self.model = model
    log = tracksHistory ? HistoryLog() : nil
    metadata = contents.metadata
    metadata["NSStoreUUID"] = contents.identifier
    fixedMetadata = metadata.filter { entry in
      Self.fixedKeys.contains { entry.key.hasPrefix($0) }
    }
    keySpace = contents.keySpace
    nextKeys = contents.nextKeys
    constraints = UniquenessIndex(model: model)
    foreignKeys = ForeignKeyIndex(model: model)
  }

  /// The prefixes of the metadata keys that belong to the store.
  private static let fixedKeys = [
    "NSStoreUUID", "NSStoreType", "NSStoreModelVersion", "NSPersistence",
  ]

  func requireOpen() throws(StoreError) {
    guard isClosed else { return }
    throw StoreError(.closed, "The store is closed. Open it again before using it.")
  }

  /// Releases the rows. The store cannot be used after this call.
  mutating func close() {
    tables = [:]
    joinTables = MemoryJoinTables()
    orders = MemberOrders()
    foreignKeys = ForeignKeyIndex(model: model)
    log = nil
    constraints = UniquenessIndex(model: model)
    isClosed = true
  }

  /// Reserves contiguous ranges of keys, which are never reused.
  mutating func reserveKeys(_ counts: [Int: Int]) -> [Int: Int64] {
    var firstKeys: [Int: Int64] = [:]
    for (root, count) in counts {
      let first = nextKeys[space(of: root)] ?? 1
      firstKeys[root] = first
      nextKeys[space(of: root)] = first + Int64(max(0, count))
    }
    return firstKeys
  }

  /// Returns the index in `nextKeys` for a root entity.
  private func space(of root: Int) -> Int { keySpace == .shared ? 0 : root }

  /// Writes a change set. If the change set conflicts with the stored rows, writes nothing and
  /// returns the conflicts.
  mutating func commit(_ changes: ChangeSet) throws(StoreError) -> CommitOutcome {
    let added = changes.inserted + changes.updated.map(\.row)
    let removed = storedRows(changedBy: changes)
    let references = referenceConflicts(changes)
    visitedRowCount += references.visitCount
    let conflicts =
      keyConflicts(changes.inserted) + versionConflicts(changes)
      + constraints.conflicts(removing: removed, adding: added)
      + references.conflicts
    guard conflicts.isEmpty else { return .conflicts(conflicts) }
    let transaction = log?.record(changes, removing: removed, of: model)
    constraints.replace(removed, with: added)
    foreignKeys.replace(removed, with: added)
    for row in removed { tables[root(of: row.entityIndex)]?[row.key] = nil }
    for row in added { store(row) }
    for deletion in changes.deleted {
      joinTables.removeAll(
        of: deletion.id.key, root: root(of: Int(deletion.id.entityIndex)), in: model)
    }
    joinTables.apply(changes.joinRows, in: model)
    orders.apply(changes.orderings, in: model)
    if let changed = changes.metadata { adopt(changed) }
    revision += 1
    return .committed(transaction: transaction)
  }

  private func root(of entityIndex: Int) -> Int { model.entities[entityIndex].rootIndex }

  /// Stores a copy of a row in a separate chunk, so that replacing the row releases its memory
  /// immediately.
  private mutating func store(_ row: Row) {
    let root = root(of: row.entityIndex)
    RowChunk(copying: [row]).forEachRow { tables[root, default: [:]][row.key] = $0 }
    nextKeys[space(of: root)] = max(nextKeys[space(of: root)] ?? 1, row.key + 1)
  }

  private mutating func adopt(_ changed: StoreMetadata) {
    metadata = changed.merging(fixedMetadata) { $1 }
  }

  private func storedRow(_ id: ObjectKey) -> Row? {
    tables[root(of: Int(id.entityIndex))]?[id.key]
  }

  private func storedRows(changedBy changes: ChangeSet) -> [Row] {
    (changes.updated.map { $0.row.objectKey } + changes.deleted.map(\.id)).compactMap(storedRow)
  }

  private func versionConflicts(_ changes: ChangeSet) -> [StoreConflict] {
    changes.expectations.compactMap { row in
      guard let stored = storedRow(row.id) else {
        return .version(id: row.id, expected: row.version, stored: .deleted)
      }
      guard stored.version != row.version else { return nil }
      return .version(id: row.id, expected: row.version, stored: .found(stored.copied()))
    }
  }

  /// Returns conflicts of references, and the number of visited rows.
  ///
  /// The snapshot is released at the end of this call. If the snapshot were retained, the next
  /// write would copy the tables.
  private func referenceConflicts(
    _ changes: ChangeSet
  ) -> (conflicts: [StoreConflict], visitCount: Int) {
    let snapshot = MemorySnapshot(state: self, model: model)
    let conflicts = MemoryReferences(snapshot: snapshot, changes: changes).conflicts()
    return (conflicts, snapshot.visitCount)
  }

  /// Returns conflicts for new rows whose keys are already in use.
  private func keyConflicts(_ inserted: [Row]) -> [StoreConflict] {
    inserted.compactMap { row in
      storedRow(row.objectKey).map {
        .version(id: row.objectKey, expected: 0, stored: .found($0.copied()))
      }
    }
  }
}
