import SwiftSyntax

extension TokenSyntax {
  /// The identifier without backticks.
  var plainName: String { identifier?.name ?? text }
}

extension TypeSyntax {
  /// The last component of a nominal type's name, without generic arguments; nil for other types.
  var simpleName: String? {
    `as`(IdentifierTypeSyntax.self)?.name.plainName ?? `as`(MemberTypeSyntax.self)?.name.plainName
  }

  /// The generic arguments of a nominal type; nil for other types and without generic arguments.
  var genericArguments: GenericArgumentListSyntax? {
    `as`(IdentifierTypeSyntax.self)?.genericArgumentClause?.arguments
      ?? `as`(MemberTypeSyntax.self)?.genericArgumentClause?.arguments
  }
}

extension AttributeListSyntax {
  /// Returns the first attribute with a name, ignoring attributes in conditional blocks.
  func named(_ name: String) -> AttributeSyntax? {
    for case .attribute(let attribute) in self where attribute.simpleName == name {
      return attribute
    }
    return nil
  }
}

extension AttributeListSyntax {
  /// Returns all attributes with a name, including attributes in conditional blocks.
  func all(named name: String) -> [AttributeSyntax] {
    flatMap { element -> [AttributeSyntax] in
      switch element {
      case .attribute(let attribute): attribute.simpleName == name ? [attribute] : []
      case .ifConfigDecl(let directive):
        directive.clauses.flatMap { clause -> [AttributeSyntax] in
          guard case .attributes(let inner)? = clause.elements else { return [] }
          return inner.all(named: name)
        }
      }
    }
  }
}

extension AttributeSyntax {
  /// The attribute's name without the module.
  var simpleName: String? { attributeName.simpleName }

  /// The arguments without whitespace. For `@objc`, the text is the Objective-C name.
  var argumentText: String? {
    guard let arguments else { return nil }
    return arguments.tokens(viewMode: .sourceAccurate).map(\.text).joined()
  }

  /// The declaration to which the attribute is attached.
  var owner: Syntax? {
    var node = parent
    while let current = node {
      let isList =
        current.is(AttributeListSyntax.self) || current.is(IfConfigDeclSyntax.self)
        || current.is(IfConfigClauseListSyntax.self) || current.is(IfConfigClauseSyntax.self)
      if !isList { return current }
      node = current.parent
    }
    return nil
  }
}

extension String {
  /// Whether the text consists of letters, digits and underscores and does not begin with a digit.
  var isIdentifier: Bool {
    guard let first = unicodeScalars.first, first == "_" || first.properties.isXIDStart else {
      return false
    }
    return unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
  }
}
