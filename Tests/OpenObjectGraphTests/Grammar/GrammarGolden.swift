import Foundation
import OpenCoreData
import OpenGrammarTables

/// The expected results of the grammar tables' formats in stores, by topic.
///
/// The format precedes the condition of the SQL statement, `memory:` and a reason for parts
/// that no store evaluates,
/// or the error; then the numbers of the found rows. If predicate evaluation finds other rows, they follow with the
/// keys whose nils are the cause: in SQL, it is unknown whether nil differs from a value.
enum GrammarGolden {
  /// The outcomes of a table by the formats with their arguments.
  static func outcomes(_ table: String) -> [String: String] {
    var outcomes: [String: String] = [:]
    var head = ""
    for line in table.split(separator: "\n") {
      if line.hasPrefix("  ") {
        let text = line.dropFirst(2)
        outcomes[head] = outcomes[head].map { "\($0)\n\(text)" } ?? String(text)
      } else {
        head = String(line)
      }
    }
    return outcomes
  }
}

/// The outcomes of all formats, computed once on one store of each kind.
struct GrammarOutcomes: Sendable {
  private var outcomes: [String: GrammarOutcome] = [:]

  init() throws {
    let sqlite = try GrammarStack(NSSQLiteStoreType)
    let memory = try GrammarStack(NSInMemoryStoreType)
    let pending = try GrammarStack(NSSQLiteStoreType, .unsaved)
    for row in GrammarTables.rows {
      outcomes[row.head] = try GrammarOutcome(of: row, sqlite, memory, pending)
    }
  }

  subscript(row: GrammarRow) -> GrammarOutcome? { outcomes[row.head] }
}
