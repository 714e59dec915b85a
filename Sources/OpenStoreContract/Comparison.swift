import Foundation
public import OpenPredicates

/// Comparison of two values with SQL's three-valued logic: unknown as soon as a null takes part.
public enum Comparison {
  /// Whether `left operation right` holds; nil for unknown.
  public static func holds(
    _ left: Value, _ operation: ComparisonOperator, _ right: Value, _ options: StringOptions
  ) -> Bool? {
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
    case .between, .customSelector: return false
    }
  }

  private static func isEqual(_ left: Value, _ right: Value, _ options: StringOptions) -> Bool {
    if case .string(let one) = left, case .string(let other) = right, folds(options) {
      return StringMatch.equals(one, other, options)
    }
    return Value.equals(left, right)
  }

  private static func folds(_ options: StringOptions) -> Bool {
    !options.contains(.normalized)
      && !options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
  }

  private static func order(
    _ left: Value, _ right: Value, _ options: StringOptions
  ) -> ComparisonResult? {
    if case .string(let one) = left, case .string(let other) = right, folds(options) {
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
  /// The value as text, for text operations: strings as they are, URLs by their absolute string.
  var text: String? {
    switch self {
    case .string(let text): text
    case .url(let url): url.absoluteString
    default: nil
    }
  }
}

/// Functions of values in filters, with SQLite's rules for nulls and mixed numbers.
public enum FunctionValue {
  /// Applies a function; null when an argument is null or of an unfit type.
  public static func apply(_ name: String, _ arguments: [Value]) -> Value {
    if arguments.count == 2 { return binary(name, arguments[0], arguments[1]) }
    guard arguments.count == 1 else { return .null }
    switch (name, arguments[0]) {
    case ("abs:", .int(let integer)): return .int(Int64(integer.magnitude & 0x7FFF_FFFF_FFFF_FFFF))
    case ("abs:", let value): return value.number.map { .double(abs($0)) } ?? .null
    case ("length:", .string(let text)): return .int(Int64(text.unicodeScalars.count))
    case ("uppercase:", .string(let text)): return .string(text.uppercased())
    case ("lowercase:", .string(let text)): return .string(text.lowercased())
    case ("canonical:", .string(let text)):
      return .string(
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil))
    default: return .null
    }
  }

  private static func binary(_ name: String, _ left: Value, _ right: Value) -> Value {
    if case .int(let one) = left, case .int(let other) = right,
      let result = integers(name, one, other)
    {
      return result
    }
    guard let one = left.number, let other = right.number else { return .null }
    switch name {
    case "add:to:": return .double(one + other)
    case "from:subtract:": return .double(one - other)
    case "multiply:by:": return .double(one * other)
    case "divide:by:": return other == 0 ? .null : .double(one / other)
    case "modulus:by:":
      guard let one = Int64(exactly: one.rounded(.towardZero)),
        let other = Int64(exactly: other.rounded(.towardZero))
      else { return .null }
      return integers(name, one, other) ?? .null
    default: return .null
    }
  }

  private static func integers(_ name: String, _ one: Int64, _ other: Int64) -> Value? {
    let (result, overflow): (Int64, Bool)
    switch name {
    case "add:to:": (result, overflow) = one.addingReportingOverflow(other)
    case "from:subtract:": (result, overflow) = one.subtractingReportingOverflow(other)
    case "multiply:by:": (result, overflow) = one.multipliedReportingOverflow(by: other)
    case "divide:by:":
      guard other != 0 else { return .null }
      (result, overflow) = one.dividedReportingOverflow(by: other)
    case "modulus:by:":
      guard other != 0 else { return .null }
      (result, overflow) = one.remainderReportingOverflow(dividingBy: other)
    default: return nil
    }
    return overflow ? nil : .int(result)
  }
}
