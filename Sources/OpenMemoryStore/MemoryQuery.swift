import Foundation
import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// Carries a plan out on a snapshot: filter, sort, window.
struct MemoryQuery {
  let plan: FetchPlan
  let snapshot: MemorySnapshot

  /// The rows that the plan selects, in its order; rows equal under all sort terms come by key.
  func rows() throws(StoreError) -> [Row] {
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
    let rows = snapshot.rows(of: plan.shape.entityIndexes)
    guard let filter = plan.shape.filter else { return rows }
    let bindings = plan.bindings.map(\.withoutStore)
    return try rows.filter { row in
      let subject = MemorySubject(row: row, snapshot: snapshot)
      return try filter.evaluate(on: subject, bindings: bindings) == true
    }
  }

  private func sorted(_ rows: [Row]) throws -> [Row] {
    let terms = plan.shape.sort
    guard !terms.isEmpty else { return rows }
    let decorated = try rows.map { row in
      let subject = MemorySubject(row: row, snapshot: snapshot)
      return SortedRow(row: row, values: try terms.map { try subject.filterValue(at: $0.path) })
    }
    return decorated.sorted { $0.precedes($1, by: terms) }.map(\.row)
  }

  private func window(_ rows: [Row]) -> [Row] {
    let skipped = plan.shape.hasOffset ? rows.dropFirst(max(0, plan.offset)) : rows[...]
    return Array(plan.shape.hasLimit ? skipped.prefix(max(0, plan.limit)) : skipped)
  }
}

/// A row with the values of its sort terms.
private struct SortedRow {
  let row: Row
  let values: [Value]

  func precedes(_ other: SortedRow, by terms: [SortTerm]) -> Bool {
    for (index, term) in terms.enumerated() {
      switch term.order(values[index], other.values[index]) {
      case .orderedSame: continue
      case .orderedAscending: return term.isAscending
      case .orderedDescending: return !term.isAscending
      }
    }
    return row.key < other.row.key
  }
}

extension Value {
  /// The value with object references as rows hold them, which name no store.
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

extension SortTerm {
  /// Ascending order of two values under the term's collation; values that do not compare are
  /// equal.
  fileprivate func order(_ one: Value, _ other: Value) -> ComparisonResult {
    guard collation != .binary, case .string(let one) = one, case .string(let other) = other
    else { return Value.order(one, other) ?? .orderedSame }
    return StringMatch.compare(one, other, collation.options)
  }
}

extension SortTerm.Collation {
  fileprivate var options: StringOptions {
    switch self {
    case .binary: []
    case .caseInsensitive: .caseInsensitive
    case .localized: .localeSensitive
    case .localizedCaseInsensitive, .localizedStandard: [.caseInsensitive, .localeSensitive]
    }
  }
}
