import Foundation

/// Orders values for sort descriptors; null comes first.
enum ValueSorting {
  /// Returns the order of two values of any type.
  static func order(_ left: Any?, _ right: Any?, _ comparison: SortComparison) -> ComparisonResult {
    guard let one = Value(any: left), let other = Value(any: right) else {
      return orderUnknown(left, right)
    }
    if case .string(let text) = one, case .string(let pattern) = other {
      return order(text, pattern, comparison)
    }
    return Value.order(one, other) ?? .orderedSame
  }

  /// Returns the order of two strings.
  static func order(
    _ left: String, _ right: String, _ comparison: SortComparison
  ) -> ComparisonResult {
    StringMatch.compare(left, right, comparison.options)
  }

  /// Returns the order of two values by a function registered with a selector's name; equal without
  /// one.
  static func order(_ left: Any, _ right: Any, selectorName name: String) -> ComparisonResult {
    guard let function = PredicateFunctions.function(named: name) else { return .orderedSame }
    let result = function([left is NSNull ? nil : left, right is NSNull ? nil : right])
    if let order = result as? ComparisonResult { return order }
    let number = Value(any: result)?.realNumber ?? 0
    return number < 0 ? .orderedAscending : number > 0 ? .orderedDescending : .orderedSame
  }

  private static func orderUnknown(_ left: Any?, _ right: Any?) -> ComparisonResult {
    guard let one = left as? any Comparable else { return .orderedSame }
    return order(one, right)
  }

  private static func order<Known: Comparable>(_ left: Known, _ right: Any?) -> ComparisonResult {
    guard let other = right as? Known else { return .orderedSame }
    return left < other ? .orderedAscending : left > other ? .orderedDescending : .orderedSame
  }
}
