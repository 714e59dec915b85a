import SwiftSyntax

extension RewritingVisitor {
  /// Replaces `#keyPath(Type.a.b)` by `"a.b"`, or by the keys of managed properties that have other
  /// names in Objective-C.
  func rewriteKeyPath(_ node: MacroExpansionExprSyntax) {
    guard node.arguments.count == 1, let argument = node.arguments.first,
      let names = names(in: argument.expression)
    else {
      return report(
        "this key path cannot be converted to a string; write a string literal instead", at: node)
    }
    switch withoutType(names, in: node.enclosingPath) {
    case .keys(let properties):
      let type = names.dropLast(properties.count).filter { $0 != "self" && $0 != "Self" }
      let keys = known.keys(of: Array(properties), in: type, scope: node.enclosingPath)
      replace(node, with: "\"\(keys.joined(separator: "."))\"")
    case .ambiguous(let name):
      report(
        "cannot determine whether '\(name)' is a type or a property, because '\(names[0])' is not declared in "
          + "this target; write a string literal instead", at: node)
    }
  }

  /// Returns the names in a member chain without backticks; nil for any other expression.
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

  private enum Keys {
    case keys(ArraySlice<String>)
    /// The name may be that of a type or that of a property.
    case ambiguous(String)
  }

  /// Returns the key path without the type at its beginning. The type may be qualified by a module
  /// and by enclosing types.
  private func withoutType(_ names: [String], in scope: [String]) -> Keys {
    let rest = names.dropFirst()
    guard let next = rest.first else { return .keys(names[...]) }
    let first = names[0]
    if first == "self" || first == "Self" { return .keys(rest) }
    if known.names.contains(first) { return .keys(withoutKnownTypes(rest)) }
    let isModule = known.modules.contains(first)
    if !isModule {
      let isProperty = !first.isCapitalized || known.declares(first, in: scope)
      if isProperty { return .keys(names[...]) }
    }
    // The first name is a module, or a type of another one.
    if rest.count == 1 { return .keys(rest) }
    if known.names.contains(next) { return .keys(withoutKnownTypes(rest.dropFirst())) }
    if isModule {
      let inType = rest.dropFirst()
      let mayBeNested = inType.count > 1 && inType.first?.isCapitalized == true
      return mayBeNested ? .ambiguous(inType.first ?? "") : .keys(inType)
    }
    return next.isCapitalized ? .ambiguous(next) : .keys(rest)
  }

  /// Returns the names after the nested types. The last name is always a property.
  private func withoutKnownTypes(_ names: ArraySlice<String>) -> ArraySlice<String> {
    var rest = names
    while rest.count > 1, let next = rest.first, known.names.contains(next) {
      rest = rest.dropFirst()
    }
    return rest
  }
}

extension String {
  fileprivate var isCapitalized: Bool { first?.isUppercase == true }
}
