import SwiftSyntax

extension RewritingVisitor {
  /// Replaces `#keyPath(Type.a.b)` by `"a.b"`.
  func rewriteKeyPath(_ node: MacroExpansionExprSyntax) {
    guard node.arguments.count == 1, let argument = node.arguments.first,
      let names = names(in: argument.expression)
    else {
      let message = "this key path cannot be turned into a text; write the text"
      return problems.append(source.problem(message, at: node))
    }
    replace(node, with: "\"\(withoutType(names).joined(separator: "."))\"")
  }

  /// The names of a chain of members, backticks removed; nil for anything else.
  private func names(in expression: ExprSyntax) -> [String]? {
    var names: [String] = []
    var current = expression
    while let access = current.as(MemberAccessExprSyntax.self) {
      guard let base = access.base else { return nil }
      names.append(access.declName.baseName.plainName)
      current = base
    }
    guard let first = current.as(DeclReferenceExprSyntax.self) else { return nil }
    names.append(first.baseName.plainName)
    return names.allSatisfy(\.isIdentifier) ? names.reversed() : nil
  }

  /// The key path without the type that it begins at, which may have a module and types around it.
  private func withoutType(_ names: [String]) -> ArraySlice<String> {
    var rest = names[...]
    if rest.count > 1, rest.first == "self" { return rest.dropFirst() }
    while rest.count > 1, let first = rest.first, isType(first) {
      rest = rest.dropFirst()
      // After the class, only a class in it can follow, not any name with a capital.
      if known.names.contains(first), let next = rest.first, !known.names.contains(next) { break }
    }
    return rest
  }

  private func isType(_ name: String) -> Bool {
    known.names.contains(name) || name.first?.isUppercase == true
  }
}
