import SwiftSyntax

extension AttributeSyntax {
  /// Returns the name in the macro's only argument; nil if the macro has no argument.
  ///
  /// - Throws: `ManagedError` if the argument is not a plain string literal that contains an
  ///   identifier.
  func nameArgument() throws(ManagedError) -> String? {
    guard case .argumentList(let arguments) = arguments, let argument = arguments.first else {
      return nil
    }
    guard
      let literal = argument.expression.as(StringLiteralExprSyntax.self),
      literal.segments.count <= 1, let segment = literal.segments.first,
      case .stringSegment(let text) = segment
    else { throw ManagedError(.notALiteral, at: argument.expression) }
    let name = text.content.text
    guard name.isIdentifier else { throw ManagedError(.notAnIdentifier, at: argument.expression) }
    return name
  }
}

extension String {
  /// Whether the string consists of letters, digits and underscores and does not begin with a
  /// digit.
  var isIdentifier: Bool {
    guard let first = unicodeScalars.first, first == "_" || first.properties.isXIDStart else {
      return false
    }
    return unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
  }

  /// Returns the text after `prefix` with a lowercase first letter; nil if the text after `prefix`
  /// does not begin with an uppercase letter.
  func propertyName(after prefix: String) -> String? {
    guard hasPrefix(prefix) else { return nil }
    let rest = dropFirst(prefix.count)
    guard let first = rest.first, first.isUppercase else { return nil }
    return first.lowercased() + rest.dropFirst()
  }
}

extension TokenSyntax {
  /// The identifier without backticks.
  var plainName: String { identifier?.name ?? text }
}
