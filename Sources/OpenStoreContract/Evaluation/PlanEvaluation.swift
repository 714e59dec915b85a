import Foundation
package import OpenObjectModel
package import OpenPredicates

/// The rows of a store at one moment, on which a plan is evaluated.
///
/// A snapshot is confined to the evaluation of one plan or request.
package protocol RowSnapshot: AnyObject {
  var model: CompiledModel { get }
  /// Returns the rows of entities in the order of their keys.
  ///
  /// - Parameter entityIndexes: The entities, as positions in the model.
  /// - Throws: `StoreError` with the code of the store's failure if the rows cannot be read.
  func rows(of entityIndexes: Range<Int>) throws(StoreError) -> [Row]
  /// Returns the destination of a row's to-one relationship; nil if there is no destination or the
  /// destination no longer exists.
  ///
  /// - Parameters:
  ///   - property: The to-one relationship.
  ///   - row: The source of the relationship.
  /// - Throws: `StoreError` with the code of the store's failure if the destination cannot be read.
  func destination(of property: CompiledProperty, from row: Row) throws(StoreError) -> Row?
  /// Returns the destinations of a to-many relationship: ordered destinations in their order, other
  /// destinations in the order of keys.
  ///
  /// - Parameters:
  ///   - property: The relationship.
  ///   - source: The key of the relationship's source.
  /// - Throws: `StoreError` with the code of the store's failure if the destinations cannot be
  ///   read.
  func destinations(of property: CompiledProperty, source: Int64) throws(StoreError) -> [Row]
  /// Returns the rows whose to-one relationship refers to a key, in the order of their own keys.
  ///
  /// - Parameters:
  ///   - entityIndex: The entity of the rows, as a position in the model.
  ///   - key: The key of the destination.
  ///   - property: The to-one relationship.
  /// - Throws: `StoreError` with the code of the store's failure if the rows cannot be read.
  func rows(
    of entityIndex: Int, pointingAt key: Int64, over property: CompiledProperty
  ) throws(StoreError) -> [Row]
}

/// Executes a fetch plan in memory: filters, sorts, and applies the offset and the limit.
///
/// An evaluation is confined to one plan.
package struct PlanEvaluation<Snapshot: RowSnapshot> {
  let plan: FetchPlan
  let snapshot: Snapshot
  /// The rows that may be in the result, in key order; nil for all rows of the plan's entities.
  let candidates: [Row]?

  /// Creates an evaluation of a plan on a snapshot.
  ///
  /// - Parameters:
  ///   - plan: The plan to execute.
  ///   - snapshot: The rows of the store.
  ///   - candidates: The rows that may be in the result, in key order; nil for all rows of the
  ///     plan's entities.
  package init(plan: FetchPlan, snapshot: Snapshot, candidates: [Row]? = nil) {
    self.plan = plan
    self.snapshot = snapshot
    self.candidates = candidates
  }

  /// Returns the rows that the plan selects, in the plan's order; rows with equal sort values are
  /// ordered by key.
  ///
  /// - Throws: `StoreError` with code `.unsupportedPredicate` if the predicate or a sort key cannot
  ///   be evaluated, with code `.interrupted` if the plan was interrupted, or an error of the
  ///   snapshot.
  package func rows() throws(StoreError) -> [Row] {
    do {
      return window(try sorted(try matchingRows()))
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(
        .unsupportedPredicate, "The predicate or a sort key cannot be evaluated.",
        entityName: plan.shape.entity.name, underlying: error)
    }
  }

  private func matchingRows() throws -> [Row] {
    try plan.throwIfInterrupted()
    let rows = try candidates ?? snapshot.rows(of: plan.shape.entityIndexes)
    guard let filter = plan.shape.filter else { return rows }
    let bindings = plan.bindings.map(\.withoutStore)
    return try rows.filter { row in
      try plan.throwIfInterrupted()
      let subject = StoredSubject(row: row, snapshot: snapshot)
      return try filter.evaluate(on: subject, bindings: bindings) == true
    }
  }

  /// Sorts rows in the plan's order; rows with equal sort values remain in key order.
  private func sorted(_ rows: [Row]) throws -> [Row] {
    let terms = plan.shape.sort
    guard !terms.isEmpty else { return rows }
    let keyed = try rows.map { row in
      let evaluator = evaluator(of: [row])
      return (row, try terms.map { try evaluator.value($0.operand) })
    }
    return sorted(keyed)
  }

  private func sorted<Element>(_ elements: [(Element, keys: [Value])]) -> [Element] {
    elements.enumerated().sorted { one, other in
      switch SortTerm.order(one.element.keys, other.element.keys, by: plan.shape.sort) {
      case .orderedAscending: true
      case .orderedDescending: false
      case .orderedSame: one.offset < other.offset
      }
    }
    .map(\.element.0)
  }

  // MARK: Results of values

  /// Returns the results of a plan with a projection, in the plan's order.
  ///
  /// - Parameter projection: The columns and groups of the results.
  /// - Returns: For each result, one value for each column.
  /// - Throws: `StoreError` with code `.unsupportedPredicate` if a column cannot be evaluated, with
  ///   code `.interrupted` if the plan was interrupted, or an error of the snapshot.
  package func results(_ projection: Projection) throws(StoreError) -> [[Value]] {
    do {
      return window(try unwindowedResults(projection))
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(
        .unsupportedPredicate, "A column of the result cannot be evaluated.",
        entityName: plan.shape.entity.name, underlying: error)
    }
  }

  private func unwindowedResults(_ projection: Projection) throws -> [[Value]] {
    var seen: Set<[Value]> = []
    var results: [([Value], keys: [Value])] = []
    for group in try groups(projection) {
      let evaluator = evaluator(of: group)
      let columns = try projection.columns.map { column in
        let value = try evaluator.value(column.operand)
        return column.type.map { value.decoded(as: $0) } ?? value
      }
      let full = self.evaluator(of: group, columns: columns)
      if let condition = projection.condition, try full.evaluate(condition) != true { continue }
      if projection.isDistinct, !seen.insert(columns).inserted { continue }
      results.append((columns, try plan.shape.sort.map { try full.value($0.operand) }))
    }
    return sorted(results)
  }

  /// Returns the rows of each result: one row, the rows of a group, or all rows.
  private func groups(_ projection: Projection) throws -> [[Row]] {
    let rows = try matchingRows()
    guard !projection.groups.isEmpty else {
      return projection.columns.contains { $0.operand.hasTotal } ? [rows] : rows.map { [$0] }
    }
    var order: [[Value]] = []
    var groups: [[Value]: [Row]] = [:]
    for row in rows {
      let evaluator = evaluator(of: [row])
      let key = try projection.groups.map { try evaluator.value($0) }
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(row)
    }
    return order.compactMap { groups[$0] }
  }

  private func evaluator(
    of group: [Row], columns: [Value] = []
  ) -> FilterEvaluator<StoredSubject<Snapshot>> {
    let subjects = group.map { StoredSubject(row: $0, snapshot: snapshot) }
    return FilterEvaluator(
      row: subjects.first, bindings: plan.bindings.map(\.withoutStore),
      group: subjects, columns: columns)
  }

  private func window<Element>(_ rows: [Element]) -> [Element] {
    let skipped = plan.shape.hasOffset ? rows.dropFirst(max(0, plan.offset)) : rows[...]
    return Array(plan.shape.hasLimit ? skipped.prefix(max(0, plan.limit)) : skipped)
  }
}

extension Value {
  /// The value with object references in the form that rows contain, without a store.
  fileprivate var withoutStore: Value {
    switch self {
    case .object(var reference):
      reference.storeToken = 0
      return .object(reference)
    case .list(let members): return .list(members.map(\.withoutStore))
    default: return self
    }
  }
}

/// A row on which filters are evaluated.
package struct StoredSubject<Snapshot: RowSnapshot>: FilterSubject {
  let row: Row
  let snapshot: Snapshot

  package init(row: Row, snapshot: Snapshot) {
    self.row = row
    self.snapshot = snapshot
  }

  package var filterReference: ObjectReference {
    let root = snapshot.model.entities[entity.rootIndex]
    return ObjectReference(entityToken: root.rootToken, storeToken: 0, key: row.key)
  }

  package var filterEntityIndex: Int { row.entityIndex }

  package func filterValue(_ ordinal: Int) -> Value {
    row.value(of: entity.properties[ordinal], in: snapshot.model)
  }

  package func filterDestination(_ ordinal: Int) throws -> StoredSubject? {
    try snapshot.destination(of: entity.properties[ordinal], from: row)
      .map { StoredSubject(row: $0, snapshot: snapshot) }
  }

  package func filterDestinations(_ ordinal: Int) throws -> [StoredSubject] {
    try snapshot.destinations(of: entity.properties[ordinal], source: row.key)
      .map { StoredSubject(row: $0, snapshot: snapshot) }
  }

  private var entity: CompiledEntity { snapshot.model.entities[row.entityIndex] }
}
