import Foundation

/// One format of a grammar table with what it must become.
///
/// A table is text. A row begins with the format, followed by indented lines: the tree, `> ` and
/// the canonical text where it is not the format itself, `? ` and the result for
/// ``GrammarRow/sample`` where it has a meaning. Behind `<==` stand the arguments.
package struct GrammarRow: Sendable {
  /// The format as it is parsed.
  package let format: String
  /// The arguments as the table writes them; see ``arguments``.
  package let argumentText: String
  /// The tree in the notation of `TreeText`.
  package let tree: String
  /// What the predicate prints.
  package let canonical: String
  /// The result over ``sample``; nil where it has no meaning.
  package let result: Bool?

  /// The first line of the row: the format, and the arguments if there are any.
  package var head: String { argumentText.isEmpty ? format : "\(format) <== \(argumentText)" }

  /// The object that formats of the tables are evaluated over.
  package static var sample: [String: Any] {
    [
      "a": 1, "b": 2, "c": 3, "s": "Résumé", "t": "text", "f": 2.5, "yes": true, "no": false,
      "null": NSNull(), "list": [1, 2, 3], "words": ["one", "Two", "three"], "empty": [Int](),
      "o": ["a": 5, "s": "inner", "list": [7, 8]] as [String: Any], "size": 4, "first name": "Ada",
      "pages": [["n": 1, "t": "x"], ["n": 2, "t": "y"], ["n": 3, "t": "z"]],
      "when": Date(timeIntervalSinceReferenceDate: 86_400), "größe": 7, "日本": "東京",
    ]
  }

  /// The arguments: `s:` before a text, `d:` before a fraction, `l:` before integers of a list,
  /// `t:` before its texts.
  package var arguments: [Any?] {
    argumentText.split(separator: " ").map { word in
      let body = String(word.dropFirst(2))
      switch word.prefix(2) {
      case "s:": return body
      case "d:": return Double(body)
      case "l:": return body.split(separator: ",").map { Int($0) ?? 0 }
      case "t:": return body.components(separatedBy: ",")
      default:
        switch word {
        case "nil": return nil
        case "YES": return true
        default: return Int(word) ?? 0
        }
      }
    }
  }

  /// The rows of a table.
  package static func rows(_ table: String) -> [GrammarRow] {
    var rows: [GrammarRow] = []
    var lines = table.split(separator: "\n")[...]
    while let head = lines.popFirst() {
      var details: [Substring] = []
      while let line = lines.first, line.hasPrefix("  ") {
        details.append(line.dropFirst(2))
        lines = lines.dropFirst()
      }
      rows.append(GrammarRow(head: String(head), details: details))
    }
    return rows
  }

  private init(head: String, details: [Substring]) {
    let halves = head.components(separatedBy: " <== ")
    format = halves[0]
    argumentText = halves.count > 1 ? halves[1] : ""
    tree = details.first.map(String.init) ?? ""
    canonical = details.first { $0.hasPrefix("> ") }.map { String($0.dropFirst(2)) } ?? format
    result = details.first { $0.hasPrefix("? ") }.map { $0.dropFirst(2) == "true" }
  }
}
