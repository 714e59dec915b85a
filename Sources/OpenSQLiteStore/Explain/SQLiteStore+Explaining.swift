import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLCore
public import OpenStoreContract

extension SQLiteStore {
  /// Returns the SQL statement for a fetch plan, SQLite's query plan for the statement, and
  /// suggestions for a faster fetch.
  ///
  /// The method does not execute the statement of the plan. Instead, it counts the rows that the
  /// plan would select without its filter. The statement observer does not receive the statements
  /// that this method executes.
  ///
  /// - Parameters:
  ///   - plan: The fetch plan to explain.
  ///   - result: The kind of result that the statement returns.
  ///   - bindings: Whether the explanation shows bound values.
  /// - Returns: The explanation.
  /// - Throws: `StoreError` if the plan cannot be translated to SQL or the store cannot be read.
  public func explanation(
    of plan: FetchPlan, result: PlanResult, bindings: BindingVisibility
  ) throws(StoreError) -> PlanExplanation {
    let candidates = try count(matching: plan.unfiltered)
    return try pool.withReader { (connection) throws(StoreError) in
      try connection.silently { () throws(StoreError) in
        let fetch = try prepare(plan, result.ofLowering, on: connection)
        var explanation = try facts(of: fetch.statement.sql, plan.shape, on: connection)
        explanation.candidateCount = candidates
        if bindings == .shown { explanation.bindings = texts(of: fetch.parameters, plan) }
        return explanation
      }
    }
  }

  private func facts(
    of sql: String, _ shape: FetchShape, on connection: Connection
  ) throws(StoreError) -> PlanExplanation {
    let query = try QueryPlan(of: sql, on: connection)
    let sources = StatementSources(of: sql)
    var explanation = PlanExplanation()
    explanation.statement = sql
    explanation.steps = query.steps
    explanation.temporaryTrees = query.temporaryTrees
    for index in query.accesses.compactMap(\.index) where !explanation.indexes.contains(index) {
      explanation.indexes.append(index)
    }
    let scanned = FullScans(of: query, shape, sources)
    for table in scanned.tables {
      let count = try connection.integer("SELECT COUNT(*) FROM " + SQLiteDialect().quoted(table))
      explanation.fullScans.append(
        PlanExplanation.Scan(table, rowCount: Int(clamping: count ?? 0)))
    }
    let advice = IndexAdvice(shape: shape, schema: schema, sql: sql, sources: sources)
    explanation.suggestions =
      try advice.suggestions(beside: query, on: connection)
      + TextAdvice(
        shape: shape,
        hasTextIndex: fetches.textIndexes[schema.entities[shape.entity.index].table] != nil
      ).suggestions(beside: query, scanned)
    return explanation
  }

  // MARK: Bindings

  private static let longestBinding = 200

  private func texts(of parameters: [SQLParameter], _ plan: FetchPlan) -> [String] {
    parameters.map { Self.text(of: plan.content(of: $0)) }
  }

  private static func text(of content: SlotContent) -> String {
    switch content {
    case .null: return "NULL"
    case .integer(let integer): return String(integer)
    case .real(let real): return "\(real)"
    case .text(let text):
      let start = text.prefix(longestBinding)
      return "'\(start.replacing("'", with: "''"))'" + (start.endIndex < text.endIndex ? "…" : "")
    case .data(let data):
      let digits = data.prefix(longestBinding / 2).hexadecimal
      return "x'\(digits)'" + (data.count > longestBinding / 2 ? "…" : "")
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

  /// Returns whether reading ends with the last requested row: nothing is sorted afterwards, and
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
