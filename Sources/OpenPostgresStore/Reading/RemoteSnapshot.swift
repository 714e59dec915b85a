import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenStoreContract

/// The rows of a store as a transaction sees them, for the parts of plans that the library
/// evaluates.
///
/// The destinations of a relationship are read for all loaded rows at once. Confined to one
/// transaction.
final class RemoteSnapshot: RowSnapshot {
  let model: CompiledModel
  private let store: PostgresStore
  private let connection: PostgresConnection
  /// The loaded rows by root entity and key; nil for keys without a row.
  private var rowsByRoot: [Int: [Int64: Row?]] = [:]
  /// The keys of destinations, by relationship and source.
  private var members: [Relationship: [Int64: [ObjectKey]]] = [:]
  /// The keys of referring rows, by relationship and destination.
  private var referring: [Relationship: [Int64: [Int64]]] = [:]

  private struct Relationship: Hashable {
    let entity: Int
    let ordinal: Int
  }

  init(_ store: PostgresStore, on connection: PostgresConnection) {
    model = store.model
    self.store = store
    self.connection = connection
  }

  func rows(of entityIndexes: Range<Int>) throws(StoreError) -> [Row] {
    guard let first = entityIndexes.first else { return [] }
    let entity = model.entities[first]
    let shape = FetchShape(entity: entity, includesSubentities: entity.subtree == entityIndexes)
    return try rows(of: FetchPlan(shape: shape))
  }

  /// Returns the rows of a plan that the server executes, in the order of the keys.
  func rows(of plan: FetchPlan) throws(StoreError) -> [Row] {
    let key = PropertyPath(entityIndex: plan.shape.entity.index, end: .object)
    let shape = FetchShape(
      entity: plan.shape.entity, includesSubentities: plan.shape.includesSubentities,
      filter: plan.shape.filter, sort: [SortTerm(path: key, isAscending: true)])
    var sorted = FetchPlan(shape: shape, bindings: plan.bindings)
    sorted.interruption = plan.interruption
    // The statement is not cached, because the shape exists only for this call.
    let rendered = try store.fetches.statement(
      for: shape, result: .rows, lists: store.forms(of: sorted))
    var packing = RowPacking(shape.entityIndexes, of: store)
    var rows: [Row] = []
    try connection.stream(store.bind(sorted, to: rendered), of: sorted) {
      (result, row) throws(StoreError) in rows.append(try packing.pack(result, row))
    }
    keep(rows)
    return rows
  }

  private func keep(_ rows: [Row]) {
    for row in rows {
      rowsByRoot[model.entities[row.entityIndex].rootIndex, default: [:]][row.key] = row
    }
  }

  func destination(of property: CompiledProperty, from row: Row) throws(StoreError) -> Row? {
    guard let slot = property.slot, !row.isNull(slot), let relationship = property.relationship
    else { return nil }
    let key = row.integer(at: property.byteOffset)
    let root = model.entities[model.entities[relationship.destinationIndex].rootIndex]
    if let known = rowsByRoot[root.index]?[key] { return known }
    let owner = model.entities[property.declaringEntityIndex]
    var keys: Set<Int64> = [key]
    for case let candidate? in rowsByRoot[owner.rootIndex, default: [:]].values
    where owner.subtree.contains(candidate.entityIndex) && !candidate.isNull(slot) {
      keys.insert(candidate.integer(at: property.byteOffset))
    }
    try load(keys, of: root)
    return rowsByRoot[root.index]?[key] ?? nil
  }

  /// Loads the rows of the keys that are not loaded yet.
  private func load(_ keys: some Sequence<Int64>, of root: CompiledEntity) throws(StoreError) {
    let keys = Set(keys).filter { rowsByRoot[root.index]?[$0] == nil }
    if keys.isEmpty { return }
    for key in keys { rowsByRoot[root.index, default: [:]].updateValue(nil, forKey: key) }
    var rows: [Row] = []
    try store.rows(of: root, keys: Array(keys), on: connection).forEachRow { rows.append($0) }
    keep(rows)
  }

  func destinations(
    of property: CompiledProperty, source: Int64
  ) throws(StoreError) -> [Row] {
    guard let relationship = property.relationship, relationship.isToMany,
      store.schema.storage(of: property) != nil
    else { return [] }
    let owner = model.entities[property.declaringEntityIndex]
    let identity = Relationship(entity: owner.index, ordinal: property.ordinal)
    if members[identity]?[source] == nil {
      var sources: Set<Int64> = [source]
      for case let candidate? in rowsByRoot[owner.rootIndex, default: [:]].values
      where owner.subtree.contains(candidate.entityIndex)
        && members[identity]?[candidate.key] == nil
      {
        sources.insert(candidate.key)
      }
      let ordered = sources.sorted()
      let lists = try store.destinations(of: property, sources: ordered, on: connection)
      for (source, list) in zip(ordered, lists) { members[identity, default: [:]][source] = list }
      let root = model.entities[model.entities[relationship.destinationIndex].rootIndex]
      try load(lists.joined().map(\.key), of: root)
    }
    let root = model.entities[relationship.destinationIndex].rootIndex
    let rows = (members[identity]?[source] ?? []).compactMap { rowsByRoot[root]?[$0.key] ?? nil }
    return relationship.isOrdered ? rows : rows.sorted { $0.key < $1.key }
  }
}

extension RemoteSnapshot {
  /// Returns the rows of an entity whose to-one relationship refers to a key. The rows are read for
  /// all loaded destinations at once.
  func rows(
    of entityIndex: Int, pointingAt key: Int64, over property: CompiledProperty
  ) throws(StoreError) -> [Row] {
    guard let relationship = property.relationship else { return [] }
    let identity = Relationship(entity: entityIndex, ordinal: property.ordinal)
    if referring[identity]?[key] == nil {
      let target = model.entities[model.entities[relationship.destinationIndex].rootIndex]
      var keys: Set<Int64> = [key]
      for case let candidate? in rowsByRoot[target.index, default: [:]].values
      where referring[identity]?[candidate.key] == nil { keys.insert(candidate.key) }
      let found = try ReferenceLookUp(store: store, connection: connection)
        .referring(to: Array(keys), over: property, of: entityIndex)
      for key in keys { referring[identity, default: [:]][key] = (found[key] ?? []).map(\.key) }
      let root = model.entities[model.entities[entityIndex].rootIndex]
      try load(found.values.joined().map(\.key), of: root)
    }
    let root = model.entities[entityIndex].rootIndex
    return (referring[identity]?[key] ?? []).sorted().compactMap { rowsByRoot[root]?[$0] ?? nil }
  }
}

extension PostgresStore {
  /// Returns the rows of a plan that the library evaluates partly.
  func decidedRows(of plan: FetchPlan) throws(StoreError) -> [Row] {
    try repeatingRead { (connection) throws(StoreError) in
      try decidedRows(of: plan, on: connection)
    }
  }

  func decidedRows(
    of plan: FetchPlan, on connection: PostgresConnection
  ) throws(StoreError) -> [Row] {
    try inSnapshot(on: connection) { (snapshot) throws(StoreError) in
      try evaluation(of: plan, in: snapshot).rows()
    }
  }

  /// Returns the evaluation of a plan on the rows that the server's part of the filter selects.
  func evaluation(
    of plan: FetchPlan, in snapshot: RemoteSnapshot
  ) throws(StoreError) -> PlanEvaluation<RemoteSnapshot> {
    PlanEvaluation(
      plan: plan, snapshot: snapshot, candidates: try snapshot.rows(of: serverPart(of: plan)))
  }

  /// Returns the plan with the server's part of the filter, without sort order and limit.
  func serverPart(of plan: FetchPlan) -> FetchPlan {
    let part = ServerJudgement(plan: plan, model: model).allowedPart
    let shape = FetchShape(
      entity: plan.shape.entity, includesSubentities: plan.shape.includesSubentities, filter: part)
    var reduced = FetchPlan(shape: shape, bindings: plan.bindings)
    reduced.interruption = plan.interruption
    return reduced
  }

  /// Runs reads that must see the same state of the store.
  func inSnapshot<Result>(
    on connection: PostgresConnection,
    _ body: (RemoteSnapshot) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let snapshot = RemoteSnapshot(self, on: connection)
    // In a transaction that writes, the reads must see its own rows.
    guard connection.isReusable else { return try body(snapshot) }
    connection.fence = nil
    // The lock precedes the snapshot, because an older snapshot may be older than the tables.
    return try connection.inTransaction(
      [.beginSnapshot, dialect.lock(.accessShare), fence.command]
    ) { (results) throws(StoreError) in
      try fence.check(results[2])
      return try body(snapshot)
    }
  }
}
