/// Writes trees as canonical text, which parses back to an equal tree.
///
/// `argument` provides the values of argument placeholders.
struct PredicatePrinter {
  /// Returns the value of an argument, by number.
  let argument: (Int) -> Value?

  /// Returns the text of a predicate.
  func text(_ node: PredicateNode) -> String {
    switch node {
    case .constant(let flag): return flag ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): return text(comparison)
    case .not(let inner): return "NOT \(part(inner))"
    case .and(let parts):
      return parts.isEmpty ? "TRUEPREDICATE" : joined(parts, " AND ")
    case .or(let parts):
      return parts.isEmpty ? "FALSEPREDICATE" : joined(parts, " OR ")
    }
  }

  /// Joins parts with a connective; parts that are also chains get parentheses.
  private func joined(_ parts: [PredicateNode], _ connective: String) -> String {
    parts.map(part).joined(separator: connective)
  }

  private func part(_ node: PredicateNode) -> String {
    switch node {
    case .and(let inner) where inner.count > 1, .or(let inner) where inner.count > 1:
      "(\(text(node)))"
    case .and(let inner) where inner.count == 1, .or(let inner) where inner.count == 1:
      part(inner[0])
    default: text(node)
    }
  }

  private func text(_ node: ComparisonNode) -> String {
    let modifier =
      switch node.modifier {
      case .direct: ""
      case .all: "ALL "
      case .any: "ANY "
      }
    let left = text(node.left, within: .set)
    let right = invalidPattern(node) ?? text(node.right, within: .set)
    let operation =
      node.operation == .customSelector
      ? "@" + Self.text(selector: node.selector ?? "") : Self.text(node.operation)
    return "\(modifier)\(left) \(operation)\(Self.text(node.options)) \(right)"
  }

  /// Returns the text for an invalid regular expression in an argument, which could not be parsed
  /// back as a literal.
  private func invalidPattern(_ node: ComparisonNode) -> String? {
    guard node.operation == .matches, case .constant(.string(let pattern)) = node.right,
      !StringMatch.isValid(pattern: pattern)
    else { return nil }
    return "CAST(\(Value.quoted(pattern)), \"NSString\")"
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
    case .containsWords: "CONTAINSWORDS"
    case .between: "BETWEEN"
    case .customSelector: "@"
    }
  }

  /// Returns the text of a selector after `@`, in quotes if a part is not a plain name.
  private static func text(selector: String) -> String {
    let parts = selector.split(separator: ":", omittingEmptySubsequences: false)
    let isPlain =
      parts.count == 1
      ? text(name: selector) == selector
      : parts.last == "" && parts.dropLast().allSatisfy { text(name: String($0)) == $0 }
    return isPlain ? selector : Value.quoted(selector)
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
