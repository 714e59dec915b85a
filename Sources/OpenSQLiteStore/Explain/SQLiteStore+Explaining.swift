import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLCore
public import OpenStoreContract

extension SQLiteStore {
  /// Returns the SQL statement for a fetch plan, SQLite's query plan for the statement, and
  /// suggestions for a faster fetch.
  ///
  /// The method does not execute the statement of the plan. Instead, the method counts the rows
  /// that the plan would select without its filter. The statement observer does not receive the
  /// statements that this method executes.
  ///
  /// - Parameters:
  ///   - plan: The fetch plan to explain.
  ///   - result: The kind of result that the statement returns.
  ///   - bindings: Whether the explanation shows bound values.
  /// - Returns: The explanation.
  /// - Throws: `StoreError` with code `.unsupportedPredicate` if the plan cannot be translated to
  ///   SQL, or with another code if the store cannot be read.
  public func explanation(
    of plan: FetchPlan, result: PlanResult, bindings: BindingVisibility
  ) throws(StoreError) -> PlanExplanation {
    let candidates = try count(matching: plan.unfiltered)
    return try pool.withReader { (connection) throws(StoreError) in
      try connection.silently { () throws(StoreError) in
        let fetch = try prepare(plan, result.ofLowering, on: connection)
        var explanation = try PlanExplanation(
          of: fetch.statement.sql, plan.shape, in: self, on: connection)
        explanation.candidateCount = candidates
        if bindings == .shown {
          explanation.bindings = fetch.parameters.map { plan.content(of: $0).explanation }
        }
        return explanation
      }
    }
  }
}

/// Finds the tables that a statement scans completely.
struct FullScans {
  /// The tables without duplicates, in the order of SQLite's plan.
  private(set) var tables: [String] = []
  /// Whether the tables include the table of the fetched entity.
  private(set) var coverRoot = false

  init(of query: QueryPlan, _ shape: FetchShape, _ sources: StatementSources) {
    for access in query.accesses where access.isScan {
      guard let table = sources.tables[access.source],
        !Self.endsAtLimit(access, query, shape)
      else { continue }
      if access.source == "t0" { coverRoot = true }
      if !tables.contains(table) { tables.append(table) }
    }
  }

  /// Returns whether reading ends with the last requested row: nothing is sorted afterward, and
  /// either all rows match or they are read in the order of an index.
  private static func endsAtLimit(
    _ access: QueryPlan.Access, _ query: QueryPlan, _ shape: FetchShape
  ) -> Bool {
    guard shape.hasLimit, access.source == "t0", query.temporaryTrees.isEmpty,
      shape.projection == nil
    else { return false }
    return shape.filter == nil || access.index != nil
  }
}
