import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Finds conflicts between the rows of a change set and stored rows with the same constrained
/// values or the same keys.
///
/// Confined to one transaction.
struct ConstraintCheck {
  private let flight: ChangeFlight
  private var store: PostgresStore { flight.store }
  private var changes: ChangeSet { flight.changes }

  init(_ flight: ChangeFlight) { self.flight = flight }

  func conflicts() throws(StoreError) -> [StoreConflict] {
    var conflicts = try keyConflicts()
    for constraint in store.schema.uniqueness { conflicts += try self.conflicts(constraint) }
    return conflicts
  }

  /// Returns conflicts for new rows whose keys are already in use.
  private func keyConflicts() throws(StoreError) -> [StoreConflict] {
    var conflicts: [StoreConflict] = []
    let byRoot = Dictionary(grouping: changes.inserted) { store.model.root(of: $0.objectKey) }
    for (root, rows) in byRoot.sorted(by: { $0.key < $1.key }) {
      var stored: [Int64: Row] = [:]
      try store.rows(
        of: store.model.entities[root], keys: rows.map(\.key), on: flight.connection
      ).forEachRow { stored[$0.key] = $0 }
      for row in rows {
        guard let found = stored[row.key] else { continue }
        conflicts.append(
          .version(id: row.objectKey, expected: 0, stored: .found(found.copied())))
      }
    }
    return conflicts
  }

  private func conflicts(_ constraint: UniquenessMap) throws(StoreError) -> [StoreConflict] {
    let subtree = store.model.entities[constraint.entityIndex].subtree
    let rows = (changes.inserted + changes.updated.map(\.row)).filter {
      subtree.contains($0.entityIndex)
    }
    var holders: [[[UInt8]]: ObjectKey] = [:]
    var conflicts: [StoreConflict] = []
    var wanted: [(values: [[UInt8]], id: ObjectKey)] = []
    func conflict(_ id: ObjectKey) -> StoreConflict {
      .constraint(
        id: id, entityIndex: constraint.entityIndex, properties: constraint.properties)
    }
    for row in rows {
      guard let values = ConstraintValues(constraint, in: store).values(of: row) else { continue }
      if holders.updateValue(row.objectKey, forKey: values) != nil {
        conflicts.append(conflict(row.objectKey))
      } else {
        wanted.append((values, row.objectKey))
      }
    }
    guard !wanted.isEmpty else { return conflicts }
    // Rows of other root entities can have the same keys.
    let root = store.model.entities[constraint.entityIndex].rootIndex
    let written = Set(
      (changes.updated.map { $0.row.objectKey } + changes.deleted.map(\.id))
        .filter { store.model.root(of: $0) == root }.map(\.key))
    let stored = try ConstraintValues(constraint, in: store)
      .holders(of: rows, on: flight.connection)
    for (values, id) in wanted {
      if let holder = stored[values], holder != id.key, !written.contains(holder) {
        conflicts.append(conflict(id))
      }
    }
    return conflicts
  }
}

/// The constrained values of rows for one uniqueness constraint.
struct ConstraintValues {
  private let store: PostgresStore
  private let map: EntityMap
  private let slots: [Int]

  init(_ constraint: UniquenessMap, in store: PostgresStore) {
    self.store = store
    map = store.schema.entities[constraint.entityIndex]
    let names = map.columns.map(\.name)
    slots = constraint.columns.compactMap { names.firstIndex(of: $0) }
  }

  /// Returns the values in the server's format; nil if one of them is null, because a null violates
  /// no constraint.
  func values(of row: Row) -> [[UInt8]]? {
    let values = slots.compactMap { Self.bytes(of: row.content(of: $0, in: map.entity)) }
    return values.isEmpty || values.count < slots.count ? nil : values
  }

  /// Returns a value in the server's format; nil for null and NaN. The numbers 0 and -0 have the
  /// same bytes, because they violate a constraint together.
  private static func bytes(of content: SlotContent) -> [UInt8]? {
    if case .real(0) = content { return PostgresValue.bytes(of: .real(0)) }
    return PostgresValue.bytes(of: content)
  }

  /// Returns the keys of the stored rows that have the same values as one of the given rows, by the
  /// values.
  func holders(
    of rows: [Row], on connection: PostgresConnection
  ) throws(StoreError) -> [[[UInt8]]: Int64] {
    guard !slots.isEmpty else { return [:] }
    let arrays = slots.map { slot in
      PostgresValue.array(
        of: PostgresValue.type(of: map.columns[slot].target),
        rows.map { $0.content(of: slot, in: map.entity) })
    }
    let names = slots.map { map.columns[$0].name }
    let result = try connection.run(
      store.rowStatements.command(.holders(map.table, names), arrays))
    var holders: [[[UInt8]]: Int64] = [:]
    for row in 0..<result.rowCount {
      let values = slots.indices.compactMap { Self.bytes(of: result.content(row, $0 + 1)) }
      if values.count == slots.count { holders[values] = result.integer(row, 0) }
    }
    return holders
  }
}
