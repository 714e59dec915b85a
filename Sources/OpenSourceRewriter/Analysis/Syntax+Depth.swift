import SwiftSyntax

extension SyntaxProtocol {
  /// Returns the first node that is nested deeper than a limit; nil if there is no such node.
  ///
  /// The parser limits the nesting of brackets, but not the length of member chains. The code after
  /// this check traverses trees recursively, and a malicious source could otherwise overflow the
  /// stack.
  func firstNode(deeperThan limit: Int) -> Syntax? {
    var waiting: [(node: Syntax, depth: Int)] = [(Syntax(self), 0)]
    while let (node, depth) = waiting.popLast() {
      if depth > limit { return node }
      for child in node.children(viewMode: .all) where !child.is(TokenSyntax.self) {
        waiting.append((child, depth + 1))
      }
    }
    return nil
  }
}
