import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// Computes the change set of a batch request. Confined to one request.
struct MemoryBatch {
  let snapshot: MemorySnapshot

  /// Returns the change set of a request, and the result of the request after the change set is
  /// committed.
  func changes(
    for request: BatchRequest
  ) throws(StoreError) -> (ChangeSet, BatchOutcome) {
    var outcome = BatchOutcome()
    let changes: ChangeSet
    switch request {
    case .update(let update):
      guard update.referenced.allSatisfy({ snapshot.row($0.key, of: Int($0.entityIndex)) != nil })
      else {
        throw .lostDestination(of: update)
      }
      let rows = try MemoryQuery(plan: update.plan, snapshot: snapshot).rows()
      changes = try update.changes(of: rows, in: snapshot)
    case .delete(let plan):
      let rows = try MemoryQuery(plan: plan, snapshot: snapshot).rows()
      changes = try DeletionEvaluation.changes(deleting: rows, in: snapshot)
    }
    outcome.updated = changes.updated.map { $0.row.objectKey }
    outcome.deleted = changes.deleted.map(\.id)
    return (changes, outcome)
  }

  /// Returns the change set for new rows, and the result of the insertion after the change set is
  /// committed.
  ///
  /// The new rows have provisional keys.
  func changes(
    inserting rows: [Row], _ batch: BatchInsert
  ) throws(StoreError) -> (ChangeSet, BatchOutcome) {
    let changes = try MemoryInsertion(batch, in: snapshot).changes(rows)
    var outcome = BatchOutcome()
    outcome.insertedCount = changes.inserted.count
    if batch.detail == .keys { outcome.inserted = changes.inserted.map(\.objectKey) }
    outcome.updated = changes.updated.map { $0.row.objectKey }
    return (changes, outcome)
  }
}

/// Computes an insertion row by row, as a database does. Each row is also checked against the rows
/// that were inserted before it.
private struct MemoryInsertion {
  private let batch: BatchInsert
  private let snapshot: MemorySnapshot
  private var entity: CompiledEntity { batch.entity }
  private var constraints: UniquenessIndex
  private var inserted: [Int64: Row] = [:]
  private var updated: [Int64: Row] = [:]
  private var writer = RowWriter()

  init(_ batch: BatchInsert, in snapshot: MemorySnapshot) {
    self.batch = batch
    self.snapshot = snapshot
    constraints = snapshot.state.constraints
  }

  func changes(_ rows: [Row]) throws(StoreError) -> ChangeSet {
    var insertion = self
    for row in rows { try insertion.add(row) }
    return insertion.changeSet()
  }

  private mutating func add(_ row: Row) throws(StoreError) {
    let holders = constraints.holders(of: row)
    guard let holder = holders.first else { return insert(row) }
    switch batch.collision {
    case .fail: throw .collision(in: entity)
    case .keep: return
    case .replace:
      guard holders.count == 1, let present = present(holder) else {
        throw .collision(in: entity)
      }
      try replace(present, with: row)
    }
  }

  private mutating func insert(_ row: Row) {
    let key = ProvisionalKey.key(at: inserted.count)
    let new = writer.row(of: entity, key: key, version: 1, over: row.view, values: [])
    inserted[key] = new
    constraints.replace([], with: [new])
  }

  private func present(_ key: Int64) -> Row? {
    inserted[key] ?? updated[key] ?? snapshot.state.tables[entity.rootIndex]?[key]
  }

  private mutating func replace(_ present: Row, with row: Row) throws(StoreError) {
    let actual = snapshot.model.entities[present.entityIndex]
    let isNew = inserted[present.key] != nil
    let new = try writer.checkedRow(
      of: actual, key: present.key, version: isNew ? 1 : present.version &+ 1, over: present.view,
      values: batch.values(of: row, replacing: actual))
    constraints.replace([present], with: [new])
    if isNew { inserted[present.key] = new } else { updated[present.key] = new }
  }

  private func changeSet() -> ChangeSet {
    var changes = ChangeSet()
    changes.inserted = inserted.sorted { $0.key < $1.key }.map(\.value)
    if !inserted.isEmpty { changes.newRowCounts = [entity.rootIndex: inserted.count] }
    for (key, row) in updated.sorted(by: { $0.key < $1.key }) {
      guard let stored = snapshot.state.tables[entity.rootIndex]?[key] else { continue }
      let slots = entity.properties.filter { $0.attribute != nil }.compactMap(\.slot)
      changes.updated.append(
        ChangeSet.Update(row: row, slots: OrdinalSet(slots), expectedVersion: stored.version))
    }
    return changes
  }
}
