import Foundation

/// Applies comparison operators to operands, with the rules of evaluation in memory.
enum OperandComparison {
  /// Returns whether `left operation right` is true.
  static func evaluate(
    _ left: EvaluatedOperand, _ operation: ComparisonOperator, _ right: EvaluatedOperand,
    _ options: StringOptions
  ) -> Bool {
    switch operation {
    case .equal: EvaluatedOperand.equals(left, right, options)
    case .notEqual: !EvaluatedOperand.equals(left, right, options)
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
      order(left, right, options).map { satisfies($0, operation) } ?? false
    case .in: isMember(left, of: right, options)
    case .contains: isMember(right, of: left, options)
    case .between: isBetween(left, right, options)
    case .matches, .like, .beginsWith, .endsWith: matches(left, operation, right, options)
    case .containsWords: containsWords(left, right)
    case .customSelector: false
    }
  }

  /// Returns the reason why two operands cannot be compared; nil if they can, and for null.
  static func problem(
    _ left: EvaluatedOperand, _ operation: ComparisonOperator, _ right: EvaluatedOperand,
    _ options: StringOptions
  ) -> PredicateEvaluationError? {
    if left.isNull || right.isNull { return nil }
    switch operation {
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
      return order(left, right, options) == nil ? .unordered : nil
    case .matches: return matchingProblem(left.text, right.text, options)
    case .like, .beginsWith, .endsWith:
      guard left.text == nil || right.text == nil else { return nil }
      return mismatch("LIKE, BEGINSWITH and ENDSWITH can compare only strings.")
    case .containsWords:
      guard left.text == nil || right.text == nil else { return nil }
      return mismatch(
        "CONTAINSWORDS can search only strings and objects with searchable attributes.")
    case .between:
      guard case .collection(let limits) = right, limits.count == 2 else {
        return mismatch("BETWEEN requires a lower bound and an upper bound.")
      }
      return problem(left, .greaterThan, limits[0], options)
        ?? problem(left, .lessThan, limits[1], options)
    case .in: return membershipProblem(right)
    case .contains: return membershipProblem(left)
    case .equal, .notEqual, .customSelector: return nil
    }
  }

  private static func matchingProblem(
    _ text: String?, _ pattern: String?, _ options: StringOptions
  ) -> PredicateEvaluationError? {
    guard let text, let pattern else { return mismatch("MATCHES can compare only strings.") }
    do throws(PredicateFormatError) {
      _ = try StringMatch.matching(text, pattern, options)
      return nil
    } catch {
      return .invalid(error)
    }
  }

  private static func membershipProblem(_ whole: EvaluatedOperand) -> PredicateEvaluationError? {
    // As in a store, no string contains a number.
    if whole.members != nil || whole.text != nil { return nil }
    return mismatch("IN and CONTAINS require a collection or a string.")
  }

  private static func mismatch(_ message: String) -> PredicateEvaluationError {
    PredicateEvaluationError(code: .typeMismatch, message: message)
  }

  private static func order(
    _ left: EvaluatedOperand, _ right: EvaluatedOperand, _ options: StringOptions
  ) -> ComparisonResult? {
    guard case .value(let one) = left, case .value(let other) = right,
      one != .null, other != .null
    else { return nil }
    if !options.isEmpty, let text = left.text, let pattern = right.text {
      return StringMatch.compare(text, pattern, options)
    }
    return Value.order(one, other)
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

  /// Returns whether an operand is a member of a collection or part of a string.
  private static func isMember(
    _ element: EvaluatedOperand, of whole: EvaluatedOperand, _ options: StringOptions
  ) -> Bool {
    if let members = whole.members {
      return members.contains { EvaluatedOperand.equals(element, $0, options) }
    }
    guard let part = element.text, let source = whole.text else { return false }
    return StringMatch.contains(source, part, options)
  }

  private static func isBetween(
    _ operand: EvaluatedOperand, _ bounds: EvaluatedOperand, _ options: StringOptions
  ) -> Bool {
    guard case .collection(let limits) = bounds, limits.count == 2 else { return false }
    return evaluate(operand, .greaterThanOrEqual, limits[0], options)
      && evaluate(operand, .lessThanOrEqual, limits[1], options)
  }

  private static func matches(
    _ left: EvaluatedOperand, _ operation: ComparisonOperator, _ right: EvaluatedOperand,
    _ options: StringOptions
  ) -> Bool {
    guard let source = left.text, let pattern = right.text else { return false }
    return switch operation {
    case .matches: StringMatch.matches(source, pattern, options)
    case .like: StringMatch.like(source, pattern, options)
    case .beginsWith: StringMatch.hasPrefix(source, pattern, options)
    default: StringMatch.hasSuffix(source, pattern, options)
    }
  }

  private static func containsWords(_ left: EvaluatedOperand, _ right: EvaluatedOperand) -> Bool {
    guard let source = left.text, let query = right.text else { return false }
    return TextQuery.reading(query).matches(source)
  }
}
