import SwiftSyntax

extension AttributeSyntax {
  /// The name written as the macro's only argument, or nil when there is none.
  ///
  /// - Throws: `ManagedError` if the argument is not a plain literal holding an identifier.
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

  /// What follows `prefix` with its first letter in lower case, or nil unless that was an upper-
  /// case letter.
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
