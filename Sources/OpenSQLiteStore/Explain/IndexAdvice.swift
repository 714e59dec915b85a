import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenStoreContract

/// Finds an index that would make a statement faster, by comparing SQLite's plans with and without
/// the index.
///
/// SQLite creates the plans for an empty in-memory copy of the tables, so the store does not
/// change. The library suggests an index only if the plan for the copy without the index equals the
/// plan for the store, and if the index improves the plan for the copy.
struct IndexAdvice {
  let shape: FetchShape
  let schema: SchemaMap
  let sql: String
  let sources: StatementSources

  /// Returns suggestions as sentences; empty if the plan cannot be improved.
  func suggestions(
    beside query: QueryPlan, on connection: Connection
  ) throws(StoreError) -> [String] {
    let automatic = query.accesses.compactMap(automaticIndex)
    let current = Score(query, shape, sources)
    guard !current.isPerfect else { return automatic }
    let candidates = IndexCandidates(shape: shape, schema: schema).all
    // The copy has no text index, so it cannot plan a search that uses one.
    guard !candidates.isEmpty, !sql.contains(SQLTextIndex.prefix) else { return automatic }
    let copy = try EmptyCopy(of: Set(sources.tables.values), in: schema, from: connection)
    guard try copy.plan(of: sql).steps == query.steps else { return automatic }
    var best: (candidate: IndexCandidate, score: Score)?
    for candidate in candidates {
      let score = Score(try copy.plan(of: sql, with: candidate), shape, sources)
      if score < (best?.score ?? current) { best = (candidate, score) }
    }
    guard let best else { return automatic }
    return automatic + [best.candidate.suggestion(Self.gain(from: current, to: best.score))]
  }

  private static func gain(from old: Score, to new: Score) -> String {
    var parts: [String] = []
    if new.scans < old.scans { parts.append("a full scan") }
    if new.trees < old.trees { parts.append("a temporary B-tree") }
    return parts.joined(separator: " and ")
  }

  private func automaticIndex(_ access: QueryPlan.Access) -> String? {
    guard let columns = access.automaticColumns, let table = sources.tables[access.source] else {
      return nil
    }
    return "SQLite creates a temporary index on \(table) (\(columns)) each time this query runs. "
      + "Add a fetch index to avoid this."
  }

  /// The estimated cost of a plan. Lower scores are better.
  private struct Score: Comparable {
    /// The number of tables that are scanned completely.
    var scans: Int
    /// The number of temporary B-trees.
    var trees: Int

    init(_ query: QueryPlan, _ shape: FetchShape, _ sources: StatementSources) {
      scans = FullScans(of: query, shape, sources).tables.count
      trees = query.temporaryTrees.count
    }

    var isPerfect: Bool { scans == 0 && trees == 0 }

    static func < (one: Score, other: Score) -> Bool {
      (one.scans, one.trees) < (other.scans, other.trees)
    }
  }
}

/// An index that does not exist yet.
struct IndexCandidate {
  struct Column {
    var name: String
    /// The property in the column.
    var property: String
    var isAscending: Bool
  }

  var table: String
  var entityName: String
  var columns: [Column]

  /// Returns the statement that creates the index.
  func statement(named name: String) -> SQLStatement {
    .createIndex(
      SQLCreateIndex(
        name, on: table, columns.map { .init($0.name, isAscending: $0.isAscending) }))
  }

  /// Returns a sentence that suggests the index.
  func suggestion(_ gain: String) -> String {
    let names = columns.map { $0.name + ($0.isAscending ? "" : " DESC") }
    let properties = columns.map { $0.property + ($0.isAscending ? "" : " (descending)") }
    return "An index on \(table) (\(names.joined(separator: ", "))) would avoid \(gain). Add a "
      + "fetch index to \(entityName) on \(properties.joined(separator: ", "))."
  }
}
