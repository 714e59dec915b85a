extension PredicateFormatError {
  static func unsupported(_ message: String) -> PredicateFormatError {
    PredicateFormatError(code: .unsupportedSyntax, message: message)
  }

  /// Creates the error for a part that has no form in the trees of formats.
  static func noForm(_ part: String) -> PredicateFormatError {
    .unsupported(noFormBeginning + part + ".")
  }

  /// The error for a variable of another predicate.
  static var unknownVariable: PredicateFormatError {
    .unsupported("A variable of the predicate does not belong to any of its closures.")
  }

  private static let noFormBeginning = "A predicate cannot contain "

  /// The part that has no form, for the log.
  var partWithoutForm: String {
    message.hasPrefix(Self.noFormBeginning)
      ? String(message.dropFirst(Self.noFormBeginning.count).dropLast()) : "a Swift predicate"
  }
}
