import COpenSQLite
import OpenStoreContract

/// SQLite's plan for a statement (EXPLAIN QUERY PLAN), with its relevant facts extracted.
///
/// A value type. The wording of plans differs between versions of SQLite. Lines that are not
/// recognized remain text.
struct QueryPlan: Equatable {
  /// How the rows of one table are found.
  struct Access: Equatable {
    /// The alias of the table in the statement, or its name.
    var source: String
    /// Whether all rows are read, rather than those with given values.
    var isScan: Bool
    /// The index; nil for the primary key, for indexes without a name, and if no index is used.
    var index: String?
    /// The columns of an index that SQLite creates for this statement only.
    var automaticColumns: String?
  }

  var steps: [PlanExplanation.Step] = []
  var accesses: [Access] = []
  /// The purposes of temporary B-trees, such as "ORDER BY".
  var temporaryTrees: [String] = []

  /// Asks SQLite for the plan of a statement, which is not executed.
  init(of sql: String, on connection: Connection) throws(StoreError) {
    let statement = try connection.prepare("EXPLAIN QUERY PLAN " + sql)
    var rows: [(id: Int64, parent: Int64, text: String)] = []
    while true {
      let code = sqlite3_step(statement.pointer)
      if code == SQLITE_DONE { break }
      guard code == SQLITE_ROW else { throw connection.error(code, statement: sql) }
      rows.append((statement.integer(0), statement.integer(1), statement.text(3) ?? ""))
    }
    steps = Self.tree(of: rows)
    for row in rows { note(row.text) }
  }

  /// Returns the steps as a tree. In `rows`, parents come before their children.
  private static func tree(
    of rows: [(id: Int64, parent: Int64, text: String)]
  ) -> [PlanExplanation.Step] {
    var children: [Int64: [PlanExplanation.Step]] = [:]
    for row in rows.reversed() {
      let own = children.removeValue(forKey: row.id) ?? []
      children[row.parent, default: []].append(
        PlanExplanation.Step(row.text, steps: own.reversed()))
    }
    return (children[0] ?? []).reversed()
  }

  private mutating func note(_ text: String) {
    let tree = "USE TEMP B-TREE FOR "
    if text.hasPrefix(tree) { return temporaryTrees.append(String(text.dropFirst(tree.count))) }
    let isScan = text.hasPrefix("SCAN ")
    guard isScan || text.hasPrefix("SEARCH ") else { return }
    var access = Access(source: Self.source(in: text), isScan: isScan)
    if let columns = Self.part(of: text, behind: " AUTOMATIC COVERING INDEX ")
      ?? Self.part(of: text, behind: " AUTOMATIC PARTIAL COVERING INDEX ")
    {
      access.automaticColumns = columns.trimmingBrackets
    } else {
      access.index = Self.index(in: text)
    }
    accesses.append(access)
  }

  /// Returns `t0` for "SCAN t0 USING …" and for "SCAN TABLE ZITEM AS t0 …", which is the form in
  /// older versions.
  private static func source(in text: String) -> String {
    let words = text.split(separator: " ", maxSplits: 2)
    guard words.count > 1 else { return "" }
    if words[1] == "TABLE", let alias = part(of: text, behind: " AS ") {
      return String(alias.prefix { $0 != " " })
    }
    return String(words[1])
  }

  private static func index(in text: String) -> String? {
    guard
      let name = part(of: text, behind: " USING COVERING INDEX ")
        ?? part(of: text, behind: " USING INDEX ")
    else { return nil }
    // The search condition is in brackets after the name, and the name may contain brackets itself.
    guard let bracket = name.lastRange(of: " (") else { return name.withoutJoinNote }
    return String(name[..<bracket])
  }

  private static func part(of text: String, behind words: String) -> String? {
    guard let range = text.firstRange(of: words) else { return nil }
    return String(text[range.upperBound...])
  }
}

extension String {
  /// Returns the index of the last occurrence of a text.
  fileprivate func lastRange(of text: String) -> String.Index? {
    ranges(of: text).last?.lowerBound
  }

  /// The text without the note that SQLite adds to tables of outer joins.
  fileprivate var withoutJoinNote: String {
    hasSuffix(" LEFT-JOIN") ? String(dropLast(" LEFT-JOIN".count)) : self
  }

  /// The content of the parentheses: `ZA=? AND ZB=?` for "(ZA=? AND ZB=?) LEFT-JOIN".
  fileprivate var trimmingBrackets: String {
    guard let start = firstIndex(of: "("), let end = lastIndex(of: ")"), start < end else {
      return self
    }
    return String(self[index(after: start)..<end])
  }
}
