import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenStoreContract

extension PlanExplanation {
  /// Creates the explanation of a statement: SQLite's query plan, and suggestions for a faster
  /// fetch.
  init(
    of sql: String, _ shape: FetchShape, in store: SQLiteStore, on connection: Connection
  ) throws(StoreError) {
    let query = try QueryPlan(of: sql, on: connection)
    let sources = StatementSources(of: sql)
    self.init()
    statement = sql
    steps = query.steps
    temporaryTrees = query.temporaryTrees
    for index in query.accesses.compactMap(\.index) where !indexes.contains(index) {
      indexes.append(index)
    }
    let scanned = FullScans(of: query, shape, sources)
    for table in scanned.tables {
      let count = try connection.integer("SELECT COUNT(*) FROM " + SQLiteDialect().quoted(table))
      fullScans.append(Scan(table, rowCount: Int(clamping: count ?? 0)))
    }
    let advice = IndexAdvice(shape: shape, schema: store.schema, sql: sql, sources: sources)
    let table = store.schema.entities[shape.entity.index].table
    suggestions =
      try advice.suggestions(beside: query, on: connection)
      + TextAdvice(shape: shape, hasTextIndex: store.fetches.textIndexes[table] != nil)
      .suggestions(beside: query, scanned)
  }
}

extension SlotContent {
  private static let longestText = 200

  /// The value as text for an explanation. The text of a long value is incomplete.
  var explanation: String {
    switch self {
    case .null: return "NULL"
    case .integer(let integer): return String(integer)
    case .real(let real): return "\(real)"
    case .text(let text):
      let start = text.prefix(Self.longestText)
      return "'\(String(start).doubling("'"))'" + (start.endIndex < text.endIndex ? "…" : "")
    case .data(let data):
      let digits = data.prefix(Self.longestText / 2).hexadecimal
      return "x'\(digits)'" + (data.count > Self.longestText / 2 ? "…" : "")
    }
  }
}
