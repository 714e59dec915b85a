public import Foundation

// Expressions that the macro `#Predicate` creates, and that Foundation lacks on this platform.

extension PredicateExpressions {
  /// An expression that tests whether a string contains another string, ignoring case and
  /// diacritics.
  ///
  /// > Reference: Apple, PredicateExpressions.StringLocalizedStandardContains.
  public struct StringLocalizedStandardContains<
    Root: PredicateExpression, Other: PredicateExpression
  >: PredicateExpression where Root.Output: StringProtocol, Other.Output: StringProtocol {
    public let root: Root
    public let other: Other

    public init(root: Root, other: Other) {
      self.root = root
      self.other = other
    }

    public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
      StringMatch.contains(
        String(try root.evaluate(bindings)), String(try other.evaluate(bindings)),
        .localizedStandard)
    }
  }

  /// An expression that returns the order of two strings, ignoring case.
  ///
  /// > Reference: Apple, PredicateExpressions.StringCaseInsensitiveCompare.
  public struct StringCaseInsensitiveCompare<
    Root: PredicateExpression, Other: PredicateExpression
  >: PredicateExpression where Root.Output: StringProtocol, Other.Output: StringProtocol {
    public typealias Output = ComparisonResult
    public let root: Root
    public let other: Other

    public init(root: Root, other: Other) {
      self.root = root
      self.other = other
    }

    public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
      StringMatch.compare(
        String(try root.evaluate(bindings)), String(try other.evaluate(bindings)),
        .caseInsensitive)
    }
  }

  /// An expression that returns the order of two strings according to the rules of the current
  /// locale.
  ///
  /// > Reference: Apple, PredicateExpressions.StringLocalizedCompare.
  public struct StringLocalizedCompare<
    Root: PredicateExpression, Other: PredicateExpression
  >: PredicateExpression where Root.Output: StringProtocol, Other.Output: StringProtocol {
    public typealias Output = ComparisonResult
    public let root: Root
    public let other: Other

    public init(root: Root, other: Other) {
      self.root = root
      self.other = other
    }

    public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
      StringMatch.compare(
        String(try root.evaluate(bindings)), String(try other.evaluate(bindings)),
        .localeSensitive)
    }
  }

  /// Returns the expression that `#Predicate` creates for `text.localizedStandardContains(other)`.
  ///
  /// - Parameters:
  ///   - root: The expression for `text`.
  ///   - other: The expression for `other`.
  public static func build_localizedStandardContains<Root, Other>(
    _ root: Root, _ other: Other
  ) -> StringLocalizedStandardContains<Root, Other> {
    StringLocalizedStandardContains(root: root, other: other)
  }

  /// Returns the expression that `#Predicate` creates for `text.caseInsensitiveCompare(other)`.
  ///
  /// - Parameters:
  ///   - root: The expression for `text`.
  ///   - other: The expression for `other`.
  public static func build_caseInsensitiveCompare<Root, Other>(
    _ root: Root, _ other: Other
  ) -> StringCaseInsensitiveCompare<Root, Other> {
    StringCaseInsensitiveCompare(root: root, other: other)
  }

  /// Returns the expression that `#Predicate` creates for `text.localizedCompare(other)`.
  ///
  /// - Parameters:
  ///   - root: The expression for `text`.
  ///   - other: The expression for `other`.
  public static func build_localizedCompare<Root, Other>(
    _ root: Root, _ other: Other
  ) -> StringLocalizedCompare<Root, Other> {
    StringLocalizedCompare(root: root, other: other)
  }
}

extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}
extension PredicateExpressions.StringLocalizedStandardContains: Sendable
where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedStandardContains: Codable
where Root: Codable, Other: Codable {}

extension PredicateExpressions.StringCaseInsensitiveCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}
extension PredicateExpressions.StringCaseInsensitiveCompare: Sendable
where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: Codable
where Root: Codable, Other: Codable {}

extension PredicateExpressions.StringLocalizedCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}
extension PredicateExpressions.StringLocalizedCompare: Sendable
where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedCompare: Codable
where Root: Codable, Other: Codable {}

extension StringOptions {
  /// The options for a user's search: ignoring case and diacritics, by the rules of the locale.
  static let localizedStandard: StringOptions = [
    .caseInsensitive, .diacriticInsensitive, .localeSensitive,
  ]
}

extension PredicateExpressions.StringLocalizedStandardContains: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    try lowering.text(root, .contains, other, .localizedStandard)
  }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    let text = try lowering.expression(root)
    return .order(text, try lowering.expression(other), .caseInsensitive)
  }
}

extension PredicateExpressions.StringLocalizedCompare: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    let text = try lowering.expression(root)
    return .order(text, try lowering.expression(other), .localeSensitive)
  }
}
