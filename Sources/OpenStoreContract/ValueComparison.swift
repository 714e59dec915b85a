import Foundation
public import OpenPredicates

/// Compares two values with three-valued logic, in which a comparison with null is unknown.
public enum ValueComparison {
  /// Returns whether `left operation right` is true; nil if a value is null.
  ///
  /// A full-text search of null returns false, not nil. The operators `BETWEEN` and custom selector
  /// are not supported: if neither value is null, the method returns false for these operators. If
  /// the values cannot be compared, the operators `<`, `<=`, `>` and `>=` return false.
  ///
  /// - Parameters:
  ///   - left: The left operand.
  ///   - operation: The comparison operator.
  ///   - right: The right operand.
  ///   - options: The options for the comparison of strings.
  public static func evaluate(
    _ left: Value, _ operation: ComparisonOperator, _ right: Value, _ options: StringOptions
  ) -> Bool? {
    if operation == .containsWords { return containsWords(left, right) }
    if left == .null || right == .null { return nil }
    switch operation {
    case .equal, .notEqual:
      let equal = isEqual(left, right, options)
      return operation == .equal ? equal : !equal
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
      return order(left, right, options).map { satisfies($0, operation) } ?? false
    case .matches, .like, .beginsWith, .endsWith, .contains:
      guard let text = left.text, let pattern = right.text else { return false }
      return matches(text, operation, pattern, options)
    case .in:
      guard let text = left.text, let whole = right.text else { return false }
      return StringMatch.contains(whole, text, options)
    case .between, .customSelector, .containsWords: return false
    }
  }

  /// Returns whether a text contains the words of a query; null contains no words.
  private static func containsWords(_ left: Value, _ right: Value) -> Bool {
    guard let text = left.text, let query = right.text else { return false }
    return TextQuery.reading(query).matches(text)
  }

  private static func isEqual(_ left: Value, _ right: Value, _ options: StringOptions) -> Bool {
    if folds(options), let one = left.text, let other = right.text {
      return StringMatch.equals(one, other, options)
    }
    return Value.equals(left, right)
  }

  private static func folds(_ options: StringOptions) -> Bool {
    options.contains(.characters)
      || !options.contains(.normalized)
        && !options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
  }

  private static func order(
    _ left: Value, _ right: Value, _ options: StringOptions
  ) -> ComparisonResult? {
    let reorders = folds(options) || options.contains(.localeSensitive)
    if reorders, !options.contains(.normalized), let one = left.text, let other = right.text {
      return StringMatch.compare(one, other, options)
    }
    return Value.order(left, right)
  }

  private static func satisfies(
    _ order: ComparisonResult, _ operation: ComparisonOperator
  ) -> Bool {
    switch operation {
    case .lessThan: order == .orderedAscending
    case .lessThanOrEqual: order != .orderedDescending
    case .greaterThan: order == .orderedDescending
    default: order != .orderedAscending
    }
  }

  private static func matches(
    _ text: String, _ operation: ComparisonOperator, _ pattern: String, _ options: StringOptions
  ) -> Bool {
    switch operation {
    case .matches: StringMatch.matches(text, pattern, options)
    case .like: StringMatch.like(text, pattern, options)
    case .beginsWith: StringMatch.hasPrefix(text, pattern, options)
    case .endsWith: StringMatch.hasSuffix(text, pattern, options)
    default: StringMatch.contains(text, pattern, options)
    }
  }
}

extension Value {
  /// The value as text for string operations: a string itself, or the absolute string of a URL.
  var text: String? {
    switch self {
    case .string(let text): text
    case .url(let url): url.absoluteString
    default: nil
    }
  }
}
