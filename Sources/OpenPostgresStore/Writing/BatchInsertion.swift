import OpenObjectModel
import OpenSQLCore
public import OpenStoreContract

extension PostgresStore {
  public func insert(
    _ batch: BatchInsert, origin: ChangeOrigin, _ next: () throws(StoreError) -> [Row]
  ) throws(StoreError) -> BatchOutcome {
    try refuseReadOnly()
    var insertion = BatchInsertion(batch, in: self)
    var isBegun = false
    // The caller can provide each row only once, so the work cannot be repeated.
    insertion.outcome.transaction = try transaction(by: origin, unless: { isBegun }) {
      (connection) throws(StoreError) in
      while true {
        let rows = try next()
        if rows.isEmpty { return .commit(insertion.history, of: nil) }
        isBegun = true
        try insertion.insert(rows, on: connection)
      }
    }
    return insertion.outcome
  }
}

/// Inserts the rows of a batch in portions, in one transaction.
private struct BatchInsertion {
  private let batch: BatchInsert
  private let store: PostgresStore
  private let map: EntityMap
  private var statements: RowStatements { store.rowStatements }
  private let constraints: [ConstraintValues]
  var outcome = BatchOutcome()
  private(set) var history: [StoreHistoryChange] = []
  /// The keys that were reserved for rows of the batch.
  private var ownKeys: [Range<Int64>] = []
  /// The keys of the inserted rows of a portion.
  private var written: Set<Int64> = []
  /// The changed rows of a portion.
  private var touches: [DerivationWriter.Touch] = []
  /// The keys of the existing rows that received new values.
  private var updated: Set<Int64> = []

  init(_ batch: BatchInsert, in store: PostgresStore) {
    self.batch = batch
    self.store = store
    map = store.schema.entities[batch.entity.index]
    constraints = store.schema.uniqueness.filter { constraint in
      store.model.entities[constraint.entityIndex].subtree.contains(batch.entity.index)
    }.map { ConstraintValues($0, in: store) }
  }

  /// Inserts a portion.
  mutating func insert(_ rows: [Row], on connection: PostgresConnection) throws(StoreError) {
    let root = batch.entity.rootIndex
    let first = try store.reserveKeys([root: rows.count])[root] ?? 0
    ownKeys.append(first..<first + Int64(rows.count))
    let keyed = rows.enumerated().map { (key: first + Int64($0), row: $1) }
    touches = []
    written = []
    switch batch.collision {
    case .fail: try write(keyed, .fail, on: connection)
    case .keep: try write(keyed, .skip, on: connection)
    case .replace: try replace(keyed, on: connection)
    }
    let derivations = DerivationWriter(store.derivedAttributes, statements, on: connection)
    outcome.recomputed += try derivations?.recompute(touches, ownersBefore: [:]) ?? []
  }

  /// Runs statements that write rows.
  private func send(
    _ commands: [PostgresCommand], on connection: PostgresConnection
  ) throws(StoreError) -> [PostgresResult] {
    do throws(StoreError) { return try connection.run(commands) } catch {
      throw error.inBatch(of: batch.entity)
    }
  }

  private mutating func write(
    _ rows: [(key: Int64, row: Row)], _ refusal: RowStatements.Refusal,
    on connection: PostgresConnection
  ) throws(StoreError) {
    let results = try send(
      try statements.insertion(of: rows, into: map, refusal), on: connection)
    let keys =
      refusal == .fail
      ? rows.map(\.key)
      : results.flatMap { result in (0..<result.rowCount).map { result.integer($0, 0) } }
    for key in keys.sorted() { noteInsertion(of: key) }
    written.formUnion(keys)
    touches.append(.init(table: map.table, entity: batch.entity.index, keys: keys))
  }

  private mutating func noteInsertion(of key: Int64) {
    let id = ObjectKey(entityIndex: batch.entity.index, key: key)
    outcome.insertedCount += 1
    if batch.detail == .keys { outcome.inserted.append(id) }
    if store.tracksHistory { history.append(StoreHistoryChange(number: 0, kind: .insert, id: id)) }
  }

  // MARK: Replacing

  private static let greatestAttemptCount = 6

  /// Inserts rows with the same effect as inserting them one at a time. A later row replaces an
  /// earlier row with the same constrained values.
  ///
  /// If another transaction has just inserted a row with the same constrained values, the attempt
  /// does not insert the new row. The next attempt finds the other transaction's row and replaces
  /// its values.
  private mutating func replace(
    _ rows: [(key: Int64, row: Row)], on connection: PostgresConnection
  ) throws(StoreError) {
    var rest = rows
    for attempt in 1...Self.greatestAttemptCount where !rest.isEmpty {
      let new = try replaceStored(rest, on: connection)
      if new.isEmpty { return }
      let refusal: RowStatements.Refusal = attempt < Self.greatestAttemptCount ? .skip : .fail
      try write(inOrder(new), refusal, on: connection)
      rest = new.filter { !written.contains($0.key) }.map { (key: $0.key, row: $0.value) }
    }
  }

  /// Returns rows in an order that does not depend on their keys, so that transactions that insert
  /// the same constrained values do not deadlock.
  private func inOrder(_ rows: [Int64: Row]) -> [(key: Int64, row: Row)] {
    let placed = rows.map { key, row in
      (place: Array((constraints.first?.values(of: row) ?? []).joined()), key: key, row: row)
    }
    return placed.sorted { one, other in
      if one.place == other.place { return one.key < other.key }
      return one.place.lexicographicallyPrecedes(other.place)
    }.map { (key: $0.key, row: $0.row) }
  }

  /// Replaces the values of the stored rows that have the same constrained values as new rows.
  ///
  /// - Returns: The rows to insert, by key.
  private mutating func replaceStored(
    _ rows: [(key: Int64, row: Row)], on connection: PostgresConnection
  ) throws(StoreError) -> [Int64: Row] {
    var holders = try lockedHolders(of: rows.map(\.row), on: connection)
    let present = Set(holders.flatMap(\.values))
    var stored: [Int64: Row] = [:]
    if !present.isEmpty {
      try store.rows(
        of: store.model.entities[batch.entity.rootIndex], keys: Array(present), on: connection
      ).forEachRow { stored[$0.key] = $0 }
    }
    // The constrained values of each row, by constraint and key.
    var held = holders.map { holders in
      Dictionary(holders.map { values, key in (key, values) }, uniquingKeysWith: { $1 })
    }
    var new: [Int64: Row] = [:]
    var replaced: [Int64: Row] = [:]
    for (key, row) in rows {
      let values = constraints.map { $0.values(of: row) }
      let found = Set(
        zip(holders, values).compactMap { holders, values in values.flatMap { holders[$0] } })
      guard found.count <= 1 else { throw StoreError.collision(in: batch.entity) }
      let target = found.first ?? key
      for index in constraints.indices {
        if let former = held[index].removeValue(forKey: target) { holders[index][former] = nil }
        if let values = values[index] {
          holders[index][values] = target
          held[index][target] = values
        }
      }
      if stored[target] != nil { replaced[target] = row } else { new[target] = row }
    }
    try update(replaced, stored, on: connection)
    return new
  }

  /// Returns the keys of the stored rows with the values of new rows, by constraint and values. The
  /// stored rows stay locked until the transaction ends.
  ///
  /// Another transaction may change the values of a row until the row is locked, so the values are
  /// looked up again afterward.
  private func lockedHolders(
    of rows: [Row], on connection: PostgresConnection
  ) throws(StoreError) -> [[[[UInt8]]: Int64]] {
    var locked: Set<Int64> = []
    while true {
      var holders: [[[[UInt8]]: Int64]] = []
      for constraint in constraints {
        holders.append(try constraint.holders(of: rows, on: connection))
      }
      let others = Set(holders.flatMap(\.values)).subtracting(locked)
      if others.isEmpty { return holders }
      try connection.run(statements.locking(others, of: map.table, .update))
      locked.formUnion(others)
    }
  }

  private mutating func update(
    _ rows: [Int64: Row], _ stored: [Int64: Row], on connection: PostgresConnection
  ) throws(StoreError) {
    guard !rows.isEmpty else { return }
    var writer = RowWriter()
    var groups: [Int: (slots: [Int], rows: [Row])] = [:]
    for (key, row) in rows.sorted(by: { $0.key < $1.key }) {
      guard let old = stored[key] else { continue }
      let actual = store.model.entities[old.entityIndex]
      let values = batch.values(of: row, replacing: actual)
      let isOwn = ownKeys.contains { $0.contains(key) }
      let new = try writer.checkedRow(
        of: actual, key: key, version: isOwn ? old.version : old.version &+ 1, over: old.view,
        values: values)
      groups[actual.index, default: (slots: values.map(\.slot), rows: [])].rows.append(new)
      if !isOwn { noteUpdate(of: ObjectKey(entityIndex: actual.index, key: key)) }
    }
    var (clearings, updates): ([PostgresCommand], [PostgresCommand]) = ([], [])
    for (index, group) in groups.sorted(by: { $0.key < $1.key }) {
      let map = store.schema.entities[index]
      touches.append(.init(table: map.table, entity: index, keys: group.rows.map(\.key)))
      updates += try statements.update(group.rows, slots: group.slots, of: map)
      // With several constraints, a row may receive a unique value of another row.
      if constraints.count > 1, rows.count > 1,
        let clearing = statements.clearing(group.rows, slots: group.slots, of: map)
      {
        clearings.append(clearing)
      }
    }
    _ = try send(clearings + updates, on: connection)
  }

  private mutating func noteUpdate(of id: ObjectKey) {
    guard updated.insert(id.key).inserted else { return }
    outcome.updated.append(id)
    if store.tracksHistory {
      history.append(
        StoreHistoryChange(number: 0, kind: .update, id: id, updated: batch.replacedOrdinals))
    }
  }
}
