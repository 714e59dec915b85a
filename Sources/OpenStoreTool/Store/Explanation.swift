import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenPredicates
import OpenSQLiteStore
import OpenStoreContract
import Synchronization

/// How a store would carry a query out: its SQL, and what SQLite does with it.
package struct Explanation {
  /// The statement, without values.
  package let sql: String
  /// SQLite's plan, a step a line.
  package let steps: [String]
  /// Names of the indexes that are used.
  package let indexes: [String]
  /// What would help; nil when nothing comes to mind.
  package let advice: String?

  /// Runs a query for its first row only, and asks SQLite for its plan.
  ///
  /// - Throws: `ToolError` for a query that the store cannot carry out; such a predicate would have to be
  ///   evaluated in memory.
  package init(_ query: StoreQuery, storeAt path: String, modelPath: String?) throws {
    let seen = Mutex<[String]>([])
    let observer = StatementObserver { sql in seen.withLock { $0.append(sql) } }
    let store = try OpenedStore(at: path, modelPath: modelPath, observer: observer)
    let plan = try query.plan(for: store)
    seen.withLock { $0.removeAll() }
    do {
      _ = try store.backend.keys(matching: plan)
      seen.withLock { $0.removeAll() }
      try store.backend.forEachChunk(matching: plan) { _ in }
    } catch {
      throw ToolError(.usage, error.message)
    }
    sql = seen.withLock { $0.last ?? "" }
    // Beside a store that is open, SQLite would follow the file by an index of its log.
    try store.close()
    let rows = try StoreInspection.rows(of: "EXPLAIN QUERY PLAN " + sql, inStoreAt: store.url)
    steps = rows.compactMap { row in
      if case .string(let text) = row.last { return text }
      return nil
    }
    indexes = steps.compactMap(Self.index)
    advice = Self.advice(steps, query)
  }

  private static func index(in step: String) -> String? {
    guard let range = step.range(of: "USING INDEX ") ?? step.range(of: "USING COVERING INDEX ")
    else { return nil }
    return step[range.upperBound...].split(separator: " ").first.map(String.init)
  }

  private static func advice(_ steps: [String], _ query: StoreQuery) -> String? {
    if query.predicate != nil, steps.contains(where: { $0.hasPrefix("SCAN") }) {
      return "Every row is read. A fetch index over the attributes of the predicate would help."
    }
    if steps.contains(where: { $0.contains("TEMP B-TREE FOR ORDER BY") }) {
      return "Rows are sorted after they are read. A fetch index over the sort keys would help."
    }
    return nil
  }

  /// The explanation as a row.
  package var fields: [OutputValue.Field] {
    [
      .init("sql", .text(sql)), .init("plan", .list(steps.map { .text($0) })),
      .init("indexes", .list(indexes.map { .text($0) })), .init("inMemory", .list([])),
      .init("advice", advice.map { .text($0) } ?? .null),
    ]
  }
}
