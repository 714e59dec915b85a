/// Writes trees as the canonical text that parses back to an equal tree.
///
/// A value; `argument` supplies the values of argument places.
struct PredicatePrinter {
  /// The text of an argument, by number.
  let argument: (Int) -> Value?

  /// The text of a predicate.
  func text(_ node: PredicateNode) -> String {
    switch node {
    case .constant(let flag): return flag ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): return text(comparison)
    case .not(let inner):
      if case .and = inner { return "NOT (\(text(inner)))" }
      if case .or = inner { return "NOT (\(text(inner)))" }
      return "NOT \(text(inner))"
    case .and(let parts):
      return parts.isEmpty ? "TRUEPREDICATE" : joined(parts, " AND ")
    case .or(let parts):
      return parts.isEmpty ? "FALSEPREDICATE" : joined(parts, " OR ")
    }
  }

  /// Parts with a connective between; parts that are chains themselves get parentheses.
  private func joined(_ parts: [PredicateNode], _ connective: String) -> String {
    parts.map { part in
      switch part {
      case .and(let inner) where !inner.isEmpty, .or(let inner) where !inner.isEmpty:
        "(\(text(part)))"
      default: text(part)
      }
    }.joined(separator: connective)
  }

  private func text(_ node: ComparisonNode) -> String {
    let modifier =
      switch node.modifier {
      case .direct: ""
      case .all: "ALL "
      case .any: "ANY "
      }
    let left = text(node.left, within: .set)
    let right = text(node.right, within: .set)
    return "\(modifier)\(left) \(Self.text(node.operation))\(Self.text(node.options)) \(right)"
  }

  private static func text(_ operation: ComparisonOperator) -> String {
    switch operation {
    case .lessThan: "<"
    case .lessThanOrEqual: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqual: ">="
    case .equal: "=="
    case .notEqual: "!="
    case .matches: "MATCHES"
    case .like: "LIKE"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .in: "IN"
    case .contains: "CONTAINS"
    case .between: "BETWEEN"
    case .customSelector: "@selector"
    }
  }

  private static func text(_ options: StringOptions) -> String {
    let letters =
      (options.contains(.caseInsensitive) ? "c" : "")
      + (options.contains(.diacriticInsensitive) ? "d" : "")
      + (options.contains(.normalized) ? "n" : "")
      + (options.contains(.localeSensitive) ? "l" : "")
    return letters.isEmpty ? "" : "[\(letters)]"
  }
}
