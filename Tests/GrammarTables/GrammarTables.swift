import Foundation

/// The tables of the grammar, one topic each; see ``GrammarRow`` for their notation.
///
/// No product: the tests of predicates check trees, texts and results, the tests of the object graph check
/// what stores make of the same formats.
package enum GrammarTables {
  /// The tables by the names of their topics.
  package static let topics: [(name: String, table: String)] = [
    ("comparisons", comparisons), ("comparisonsMore", comparisonsMore), ("strings", strings),
    ("stringsMore", stringsMore), ("compounds", compounds), ("arithmetic", arithmetic),
    ("literals", literals), ("literalsMore", literalsMore), ("keys", keys),
    ("functions", functions), ("collections", collections), ("arguments", arguments),
    ("argumentsMore", argumentsMore), ("documented", documented),
    ("documentedMore", documentedMore), ("nested", nested),
    ("mixed", mixed),
  ]

  /// The formats of all topics.
  package static let rows = topics.flatMap { GrammarRow.rows($0.table) }

  /// A format with the code and the column of its error.
  package struct Mistake: Sendable {
    /// The format; only its text and arguments count.
    package let row: GrammarRow
    /// Name of the error's code.
    package let code: String
    /// Column of the mistake, from 1 on; 0 for none.
    package let column: Int
  }

  /// The formats that are wrong.
  package static let wrongFormats = mistakes.split(separator: "\n").map { line in
    let halves = String(line).components(separatedBy: " ==> ")
    let place = halves[1].split(separator: " ")
    return Mistake(
      row: GrammarRow.rows(halves[0])[0], code: String(place[0]), column: Int(place[1]) ?? -1)
  }
}
