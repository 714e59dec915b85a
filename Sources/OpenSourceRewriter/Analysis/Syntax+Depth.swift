import SwiftSyntax

extension SyntaxProtocol {
  /// The first node that lies deeper than a limit; nil when there is none.
  ///
  /// The parser limits brackets, but not chains of members. Everything after this check goes through trees by
  /// recursion, which a hostile source could make as deep as it is long.
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
