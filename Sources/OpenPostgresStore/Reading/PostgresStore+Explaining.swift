import Foundation
import OpenSQLCore
public import OpenStoreContract

extension PostgresStore {
  /// Returns the SQL statement for a fetch plan, the server's query plan for the statement, and the
  /// parts of the fetch plan that the library evaluates in memory.
  ///
  /// The method does not execute the statement. Instead, the method counts the rows that the fetch
  /// plan would select without its filter, and the rows of each table that the server would scan
  /// completely.
  ///
  /// - Parameters:
  ///   - plan: The fetch plan to explain.
  ///   - result: The kind of result that the statement returns.
  ///   - bindings: Whether the explanation shows bound values.
  /// - Returns: The explanation.
  /// - Throws: `StoreError` with code `.unsupportedPredicate` if the plan cannot be translated, or
  ///   with code `.corrupt` if the server's query plan has an unknown format. Throws `StoreError`
  ///   with another code if the store cannot be read.
  public func explanation(
    of plan: FetchPlan, result: PlanResult, bindings: BindingVisibility
  ) throws(StoreError) -> PlanExplanation {
    let judgement = ServerJudgement(plan: plan, model: model)
    let isServed = judgement.allows(result.ofLowering)
    let served = isServed ? plan : serverPart(of: plan)
    let command = try command(for: served, isServed ? result.ofLowering : .rows)
    let explained = PostgresDialect.explain(command)
    let found = try repeatingRead { (connection) throws(StoreError) in
      try connection.run(explained)
    }
    var explanation = PlanExplanation()
    explanation.candidateCount = try count(matching: plan.unfiltered)
    explanation.statement = command.text
    if bindings == .shown { explanation.bindings = command.values.map(\.shown) }
    let list = found.data(0, 0).flatMap { try? JSONSerialization.jsonObject(with: $0) }
    guard let tree = (list as? [[String: Any]])?.first?["Plan"] as? [String: Any] else {
      throw StoreError(
        .corrupt, "The server returned the query plan in an unknown format.",
        path: pool.settings.description, statement: explained.text)
    }
    var reading = ServerPlan()
    explanation.steps = [reading.step(tree)]
    explanation.indexes = reading.indexes
    explanation.temporaryTrees = reading.sorts
    for table in reading.scans {
      let rowCount = try repeatingRead { (connection) throws(StoreError) in
        try session(on: connection).count(SQLSelect([.countAll], from: table))
      }
      explanation.fullScans.append(.init(table, rowCount: rowCount))
    }
    if !isServed {
      explanation.steps.append(
        .init(
          "The library evaluates the predicate, the sort descriptors and the functions on the rows of the statement"
        ))
      explanation.suggestions.append(
        "The server cannot evaluate the complete request. Add a condition that it can evaluate, such as a comparison of values of the same type."
      )
    }
    return explanation
  }
}

/// The server's query plan for a statement.
private struct ServerPlan {
  /// The used indexes, without duplicates.
  private(set) var indexes: [String] = []
  /// The tables that are scanned completely, without duplicates.
  private(set) var scans: [String] = []
  private(set) var sorts: [String] = []

  mutating func step(_ node: [String: Any]) -> PlanExplanation.Step {
    let kind = node["Node Type"] as? String ?? "?"
    let table = node["Relation Name"] as? String
    let index = node["Index Name"] as? String
    if let index, !indexes.contains(index) { indexes.append(index) }
    if kind.hasSuffix("Seq Scan"), let table, !scans.contains(table) { scans.append(table) }
    if kind.hasSuffix("Sort") { sorts.append("ORDER BY") }
    var text = kind
    if let index { text += " using \(index)" }
    if let table { text += " on \(table)" }
    let children = node["Plans"] as? [[String: Any]] ?? []
    return PlanExplanation.Step(text, steps: children.map { step($0) })
  }
}
