import Foundation

/// Converts queries to text that parses to an equal query.
enum QueryPrinter {
  /// - Parameter isInner: Whether a compound condition needs parentheses.
  static func text(_ node: LibraryQuery.Node, isInner: Bool) -> String {
    switch node {
    case .all(let nodes): composed(nodes, " ", isInner)
    // Only OR binds more weakly than a list of conditions.
    case .any(let nodes): alternatives(nodes, isInner)
    case .not(let inner): "-\(text(inner, isInner: true))"
    case .words(let words): isBare(words) ? words : quoted(words)
    case .contains(let field, let value): "\(field.rawValue):\(fieldValue(value))"
    case .equals(let field, let value): "\(field.rawValue):=\(fieldValue(value))"
    case .range(let field, let range): "\(field.rawValue):\(self.range(range))"
    case .inTheLast(let field, let days): "\(field.rawValue):\(days)d"
    case .notPlayed(let days): "notplayed:\(days)d"
    case .flag(let flag): flag.rawValue
    }
  }

  private static func composed(
    _ nodes: [LibraryQuery.Node], _ separator: String, _ isInner: Bool
  ) -> String {
    let joined = nodes.map { text($0, isInner: true) }.joined(separator: separator)
    return isInner && nodes.count != 1 ? "(\(joined))" : joined
  }

  private static func alternatives(_ nodes: [LibraryQuery.Node], _ isInner: Bool) -> String {
    let parts = nodes.map { node in
      if case .all(let inner) = node, inner.count > 1 { return text(node, isInner: false) }
      return text(node, isInner: true)
    }
    let joined = parts.joined(separator: " OR ")
    return isInner && nodes.count != 1 ? "(\(joined))" : joined
  }

  private static func range(_ range: LibraryQuery.NumberRange) -> String {
    if let lower = range.lower, lower == range.upper { return "\(lower)" }
    return "\(range.lower.map(String.init) ?? "")..\(range.upper.map(String.init) ?? "")"
  }

  private static func fieldValue(_ text: String) -> String {
    let isPlain = !text.isEmpty && text.unicodeScalars.allSatisfy { !QueryParser.endsWord($0) }
    return isPlain && !text.unicodeScalars.contains("\\") && text.unicodeScalars.first != "="
      ? text : quoted(text)
  }

  private static func isBare(_ words: String) -> Bool {
    guard let first = words.unicodeScalars.first, first != "-" else { return false }
    return words.unicodeScalars.allSatisfy {
      !QueryParser.endsWord($0) && $0 != ":" && $0 != "\\"
    } && !["OR", "AND", "NOT"].contains(words) && LibraryQuery.Flag(rawValue: words) == nil
  }

  private static func quoted(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { escaped.append("\\") }
      escaped.append(scalar)
    }
    return "\"\(String(escaped))\""
  }
}
