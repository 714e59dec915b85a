internal import OpenPredicates

/// A function in the form of archives, which use functions where the library's trees have separate
/// nodes.
struct ArchivedFunction {
  var selector: String
  var operands: [ExpressionNode]

  init(selector: String, operands: [ExpressionNode]) {
    self.selector = selector
    self.operands = operands
  }

  /// The tree that the function represents.
  var node: ExpressionNode {
    switch (selector, operands.count) {
    case ("count:", 1):
      if case .keyPath(let steps) = operands[0] { return .keyPath(steps + ["@count"]) }
      if case .path(let base, let steps) = operands[0] {
        return .path(of: base, steps + ["@count"])
      }
    case ("objectFrom:withIndex:", 2): return .index(operands[0], operands[1])
    case ("castObject:toType:", 2):
      if case .constant(.string(let type)) = operands[1] { return .cast(operands[0], type) }
    default: break
    }
    return .function(selector, operands)
  }

  /// Creates the function that archives contain for a tree; nil if archives contain no function for
  /// the tree.
  init?(_ node: ExpressionNode) {
    switch node {
    case .function(let selector, let operands):
      self.init(selector: selector, operands: operands)
    case .keyPath(let steps) where steps.count > 1 && steps.last == "@count":
      self.init(selector: "count:", operands: [.keyPath(steps.dropLast())])
    case .path(let base, let steps) where steps.count > 1 && steps.last == "@count":
      self.init(selector: "count:", operands: [.path(of: base, steps.dropLast())])
    case .index(let base, let index):
      self.init(selector: "objectFrom:withIndex:", operands: [base, index])
    case .cast(let operand, let type):
      self.init(selector: "castObject:toType:", operands: [operand, .constant(.string(type))])
    default: return nil
    }
  }
}
