public import Foundation
public import OpenPredicates

extension SortTerm {
  /// Returns the order of two values by the collation and direction of this term; values that
  /// cannot be compared are treated as equal.
  ///
  /// - Parameters:
  ///   - one: The first value.
  ///   - other: The second value.
  public func order(_ one: Value, _ other: Value) -> ComparisonResult {
    let ascending = textOrder(one, other) ?? Value.order(one, other) ?? .orderedSame
    if isAscending { return ascending }
    switch ascending {
    case .orderedAscending: return .orderedDescending
    case .orderedDescending: return .orderedAscending
    case .orderedSame: return .orderedSame
    }
  }

  /// Returns the order of two lists of values.
  ///
  /// - Parameters:
  ///   - one: The first list, with one value for each term.
  ///   - other: The second list, with one value for each term.
  ///   - terms: The sort terms; the first term whose two values are not equal determines the order.
  public static func order(
    _ one: [Value], _ other: [Value], by terms: [SortTerm]
  ) -> ComparisonResult {
    for (index, term) in terms.enumerated() {
      let order = term.order(one[index], other[index])
      if order != .orderedSame { return order }
    }
    return .orderedSame
  }

  private func textOrder(_ one: Value, _ other: Value) -> ComparisonResult? {
    guard collation != .binary, let one = one.text, let other = other.text else { return nil }
    return StringMatch.compare(one, other, collation.options)
  }
}

extension SortTerm.Collation {
  /// The string comparison options that correspond to the collation.
  public var options: StringOptions {
    switch self {
    case .binary: []
    case .caseInsensitive: .caseInsensitive
    case .localized: .localeSensitive
    case .localizedCaseInsensitive: [.caseInsensitive, .localeSensitive]
    case .localizedStandard: [.caseInsensitive, .localeSensitive, .numeric]
    }
  }
}
