extension PredicateFormatError {
  static func unsupported(_ message: String) -> PredicateFormatError {
    PredicateFormatError(code: .unsupportedSyntax, message: message)
  }

  /// The error of a part that has no form.
  static func noForm(_ part: String) -> PredicateFormatError {
    .unsupported(noFormBeginning + part + ".")
  }

  private static let noFormBeginning = "A predicate cannot contain "

  /// What has no form, for the log.
  var partWithoutForm: String {
    message.hasPrefix(Self.noFormBeginning)
      ? String(message.dropFirst(Self.noFormBeginning.count).dropLast()) : "a Swift predicate"
  }
}
