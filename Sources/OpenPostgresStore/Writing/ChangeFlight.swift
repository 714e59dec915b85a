import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenStoreContract

/// Writes one change set inside a transaction.
///
/// The writer first locks the rows that the change set writes, expects or refers to, and compares
/// their versions, so that conflicts are found before anything is written. It then sends all
/// writing statements at once. Confined to one transaction.
struct ChangeFlight {
  let store: PostgresStore
  let connection: PostgresConnection
  let changes: ChangeSet
  private var model: CompiledModel { store.model }
  private var schema: SchemaMap { store.schema }
  private var statements: RowStatements { store.rowStatements }

  init(_ store: PostgresStore, on connection: PostgresConnection, _ changes: ChangeSet) {
    self.store = store
    self.connection = connection
    self.changes = changes
  }

  /// The outcome of the attempt. Nothing is saved until the transaction is committed.
  enum Outcome {
    /// All changes are written. The values are the changes for the history, and the rows with
    /// values that the store computed.
    case written([StoreHistoryChange], recomputed: [ObjectKey])
    case conflicts([StoreConflict])
  }

  /// Locks the rows, compares their versions and writes the changes.
  func run() throws(StoreError) -> Outcome {
    let locks = self.locks
    let stored = Self.versions(in: try send(locks.map(\.command)), of: locks)
    var conflicts = try versionConflicts(stored)
    conflicts += changes.missingDestinations(in: model) { stored[$0.root]?[$0.key] != nil }
    guard conflicts.isEmpty else {
      return .conflicts(conflicts + (try ConstraintCheck(self).conflicts()))
    }
    let history = try historyChanges()
    let derivations = DerivationWriter(store.derivedAttributes, statements, on: connection)
    let touches = derivations?.touches(of: changes) ?? []
    let owners = try derivations?.owners(of: touches) ?? [:]
    try write()
    let remaining = try ReferenceLookUp(store: store, connection: connection)
      .remaining(to: changes.deleted)
    guard remaining.isEmpty else { return .conflicts(remaining) }
    let recomputed = try derivations?.recompute(touches, ownersBefore: owners) ?? []
    return .written(history, recomputed: recomputed)
  }

  // MARK: Locks and versions

  /// The statements that lock the rows, each with the root entity of its rows.
  var locks: [(root: Int, command: PostgresCommand)] {
    let strengths: [(SQLRowLock, [ObjectKey])] = [
      (.update, changes.deleted.map(\.id)),
      (
        .noKeyUpdate,
        changes.updated.map { $0.row.objectKey } + changes.unchanged.map(\.id)
      ),
      (.keyShare, changes.referenced),
    ]
    var locks: [(root: Int, command: PostgresCommand)] = []
    for (strength, ids) in strengths {
      let byRoot = Dictionary(grouping: ids, by: model.root(of:))
      for (root, ids) in byRoot.sorted(by: { $0.key < $1.key }) {
        let table = schema.entities[root].table
        locks.append((root, statements.locking(ids.map(\.key), of: table, strength)))
      }
    }
    return locks
  }

  /// Returns the versions of the locked rows, by root entity and key.
  ///
  /// - Parameter results: The results of the locks, followed by any other results.
  static func versions(
    in results: [PostgresResult], of locks: [(root: Int, command: PostgresCommand)]
  ) -> [Int: [Int64: Int64]] {
    var versions: [Int: [Int64: Int64]] = [:]
    for (lock, result) in zip(locks, results) {
      for row in 0..<result.rowCount {
        versions[lock.root, default: [:]][result.integer(row, 0)] = result.integer(row, 1)
      }
    }
    return versions
  }

  private func versionConflicts(
    _ stored: [Int: [Int64: Int64]]
  ) throws(StoreError) -> [StoreConflict] {
    var conflicts: [StoreConflict] = []
    for row in changes.expectations
    where stored[model.root(of: row.id)]?[row.id.key] != row.version {
      conflicts.append(try conflict(row.id, row.version))
    }
    return conflicts
  }

  /// Returns a version conflict with the stored row.
  private func conflict(_ id: ObjectKey, _ expected: Int64) throws(StoreError) -> StoreConflict {
    var stored = RowLookup.deleted
    try store.rows(of: model.entities[model.root(of: id)], keys: [id.key], on: connection)
      .forEachRow { stored = .found($0.copied()) }
    return .version(id: id, expected: expected, stored: stored)
  }

  // MARK: Writing

  /// Returns the statements that write rows and join rows, without orders.
  func writing() throws(StoreError) -> [PostgresCommand] {
    let rows = deletions() + clearings() + (try updates()) + (try insertions())
    return rows + (try joinRows())
  }

  /// Sends all statements to the server.
  private func write() throws(StoreError) {
    try send(try writing())
    try send(try orderings())
    if let metadata = changes.metadata {
      try MetadataRow.write(metadata, in: store.session(on: connection))
    }
  }

  @discardableResult
  private func send(_ commands: [PostgresCommand]) throws(StoreError) -> [PostgresResult] {
    commands.isEmpty ? [] : try connection.run(commands)
  }

  private func deletions() -> [PostgresCommand] {
    let groups = Dictionary(grouping: changes.deleted) { Int($0.id.entityIndex) }
    return groups.sorted { $0.key < $1.key }.flatMap { index, group -> [PostgresCommand] in
      let map = schema.entities[index]
      let keys = group.map(\.id.key).sorted()
      let pairs = schema.ownedStorage(of: map.entity).flatMap { storage -> [PostgresCommand] in
        switch storage {
        case .foreignKey(let key) where key.isHidden:
          return [
            statements.command(
              .clear([key.column], table: key.table, column: key.column), keys: keys)
          ]
        case .foreignKey: return []
        case .join(let side):
          let columns = side.isReflexive ? [side.source, side.destination] : [side.source]
          return columns.map { statements.command(.delete(side.table, column: $0), keys: keys) }
        }
      }
      return pairs + [statements.command(.delete(map.table, column: "Z_PK"), keys: keys)]
    }
  }

  /// The entity and the slots that a group of updates has in common.
  private struct Group: Hashable {
    let entity: Int
    let slots: [Int]
  }

  private var updateGroups: [(group: Group, rows: [Row])] {
    var groups: [Group: [Row]] = [:]
    var order: [Group] = []
    for update in changes.updated {
      var slots: [Int] = []
      update.slots.forEach { slots.append($0) }
      let group = Group(entity: update.row.entityIndex, slots: slots)
      if groups[group] == nil { order.append(group) }
      groups[group, default: []].append(update.row)
    }
    return order.map { ($0, (groups[$0] ?? []).sorted { $0.key < $1.key }) }
  }

  private func clearings() -> [PostgresCommand] {
    guard changes.updated.count > 1 else { return [] }
    return updateGroups.compactMap { group, rows in
      statements.clearing(rows, slots: group.slots, of: schema.entities[group.entity])
    }
  }

  private func updates() throws(StoreError) -> [PostgresCommand] {
    var commands: [PostgresCommand] = []
    for (group, rows) in updateGroups {
      commands += try statements.update(
        rows, slots: group.slots, of: schema.entities[group.entity])
    }
    return commands
  }

  private func insertions() throws(StoreError) -> [PostgresCommand] {
    let groups = Dictionary(grouping: changes.inserted, by: \.entityIndex)
    var commands: [PostgresCommand] = []
    for (index, rows) in groups.sorted(by: { $0.key < $1.key }) {
      commands += try statements.insertion(
        of: rows.map { ($0.key, $0) }.sorted { $0.0 < $1.0 }, into: schema.entities[index])
    }
    // Keys from other sources must not be assigned again.
    let byRoot = Dictionary(grouping: changes.inserted) { model.entities[$0.entityIndex].rootIndex }
    for (root, rows) in byRoot.sorted(by: { $0.key < $1.key })
    where (changes.newRowCounts[root] ?? 0) < rows.count {
      let greatest = rows.reduce(0) { max($0, $1.key) }
      commands.append(
        PostgresCommand(
          WriteLowering(dialect: store.dialect).text(of: .raiseLastKey),
          [greatest, schema.numbers.number(of: root), greatest].map { .integer($0) }))
    }
    return commands
  }

  /// Returns the statements for join rows and hidden foreign keys.
  private func joinRows() throws(StoreError) -> [PostgresCommand] {
    var commands: [PostgresCommand] = []
    var start = 0
    while start < changes.joinRows.count {
      let first = changes.joinRows[start]
      // Consecutive additions or removals in one relationship share a statement.
      let run = changes.joinRows[start...].prefix {
        $0.entityIndex == first.entityIndex && $0.ordinal == first.ordinal
          && $0.isAdded == first.isAdded
      }
      start += run.count
      commands.append(command(for: Array(run), in: try schema.storage(of: first)))
    }
    return commands
  }

  private func command(
    for joinRows: [ChangeSet.JoinRow], in storage: ToManyStorage
  ) -> PostgresCommand {
    let isAdded = joinRows[0].isAdded
    switch storage {
    case .foreignKey(let key):
      guard isAdded else {
        return statements.setting(
          key.column, of: key.table, key: "Z_PK", owner: key.column,
          joinRows.map { (key: $0.destination.key, other: $0.source.key, value: nil) })
      }
      // The last owner of a member replaces the others. The server would choose any of them.
      let owners = Dictionary(
        joinRows.map { ($0.destination.key, $0.source.key) }, uniquingKeysWith: { $1 })
      return statements.setting(
        key.column, of: key.table, key: "Z_PK", owner: nil,
        owners.sorted { $0.key < $1.key }.map { (key: $0.key, other: $0.value, value: $0.value) })
    case .join(let side):
      var pairs = joinRows.map { ($0.source.key, $0.destination.key) }
      if side.isReflexive { pairs += pairs.map { ($0.1, $0.0) } }
      let columns = [side.source, side.destination]
      return statements.command(
        isAdded
          ? .insert(side.table, columns, skipsDuplicates: true)
          : .deleteRows(side.table, columns),
        [.keys(pairs.map(\.0)), .keys(pairs.map(\.1))])
    }
  }

  // MARK: Orders

  private func orderings() throws(StoreError) -> [PostgresCommand] {
    var commands: [PostgresCommand] = []
    for ordering in changes.orderings { commands += try self.commands(for: ordering) }
    return commands
  }

  private func commands(
    for ordering: ChangeSet.Ordering
  ) throws(StoreError) -> [PostgresCommand] {
    let (storage, column, select) = try store.fetches.places(of: ordering)
    var commands: [PostgresCommand] = []
    if case .foreignKey(let key) = storage, !ordering.removed.isEmpty {
      commands.append(
        statements.command(
          .clear([column], table: key.table, column: "Z_PK", owner: key.column),
          keys: ordering.removed))
    }
    guard !ordering.members.isEmpty else { return commands }
    let result = try connection.run(PostgresCommand(select, [.integer(ordering.source.key)]))
    var stored: [Int64: Int64] = [:]
    for row in 0..<result.rowCount where !result.isNull(row, 1) {
      stored[result.integer(row, 0)] = result.integer(row, 1)
    }
    let places = MemberPlaces.places(for: ordering, stored: stored)
    let moved = zip(ordering.members, places).filter { stored[$0.0] != $0.1 }
      .map { (key: $0.0, other: ordering.source.key, value: Optional($0.1)) }
    guard !moved.isEmpty else { return commands }
    switch storage {
    case .foreignKey(let key):
      commands.append(
        statements.setting(column, of: key.table, key: "Z_PK", owner: key.column, moved))
    case .join(let side):
      commands.append(
        statements.setting(
          column, of: side.table, key: side.destination, owner: side.source, moved))
    }
    return commands
  }

  // MARK: History

  /// Returns the changes for the history, with the values to preserve of the deleted rows, which
  /// still exist.
  private func historyChanges() throws(StoreError) -> [StoreHistoryChange] {
    guard store.tracksHistory else { return [] }
    var changes = self.changes.historyChanges(of: model)
    let kept = Dictionary(grouping: self.changes.deleted.map(\.id), by: \.entityIndex)
      .filter { !model.entities[Int($0.key)].tombstoneProperties.isEmpty }
    var tombstones: [ObjectKey: [Int: Value]] = [:]
    for (index, ids) in kept {
      let entity = model.entities[Int(index)]
      try store.rows(of: entity, keys: ids.map(\.key), on: connection).forEachRow { row in
        tombstones[row.objectKey] = row.preservedValues(in: model)
      }
    }
    for index in changes.indices where changes[index].kind == .delete {
      changes[index].tombstone = tombstones[changes[index].id] ?? [:]
    }
    return changes
  }
}
