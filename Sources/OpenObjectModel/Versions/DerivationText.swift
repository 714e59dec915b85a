internal import OpenPredicates

/// The text of a derived attribute's expression that is part of the version hash.
///
/// A key path is its own text. A collection operator in a key path becomes a function of the
/// remaining path, as in compiled models: `pages.@count` becomes `count:(pages)`, and
/// `pages.@sum.length` becomes `sum:(pages.length)`.
enum DerivationText {
  static func text(_ attribute: NSDerivedAttributeDescription) -> String {
    attribute.derivationExpression.map { text($0.node) } ?? ""
  }

  static func text(_ node: ExpressionNode) -> String {
    switch node {
    case .keyPath(let steps): keyPath(steps)
    case .path(let operand, let steps): "\(text(operand)).\(steps.joined(separator: "."))"
    case .function(let name, let operands):
      "\(name)(\(operands.map(text).joined(separator: ", ")))"
    default: NSExpression(node: node).description
    }
  }

  private static func keyPath(_ steps: [String]) -> String {
    guard let place = steps.firstIndex(where: { $0.hasPrefix("@") }) else {
      return steps.joined(separator: ".")
    }
    let path = steps[..<place] + steps[(place + 1)...]
    return "\(steps[place].dropFirst()):(\(path.joined(separator: ".")))"
  }
}
