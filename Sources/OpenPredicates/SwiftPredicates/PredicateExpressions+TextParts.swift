internal import Foundation

// The lowering of substring tests.

extension PredicateExpressions.CollectionContainsCollection: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    guard Base.Output.self is any StringProtocol.Type else { throw lowering.unsupported(self) }
    return try lowering.text(base, .contains, other)
  }
}

extension PredicateExpressions.SequenceStartsWith: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    guard Base.Output.self is any StringProtocol.Type else { throw lowering.unsupported(self) }
    return try lowering.text(base, .beginsWith, prefix)
  }
}

extension SwiftPredicateLowering {
  /// Returns a comparison of two strings.
  mutating func text(
    _ base: any PredicateExpression, _ operation: ComparisonOperator,
    _ other: any PredicateExpression, _ options: StringOptions = .characters
  ) throws(PredicateFormatError) -> LoweredExpression {
    let left = try expression(base)
    let right = try expression(other)
    var holds = PredicateNode.compare(left, operation, right, options)
    let fails = PredicateNode.not(holds)
    if operation == .beginsWith, let prefix = constant(other) as? any StringProtocol,
      SwiftText.hasOneSpelling(String(prefix))
    {
      // Without options, the comparison is a range, for which an index can be used.
      holds = .all(.compare(left, .beginsWith, right), holds)
    }
    return .condition(LoweredCondition(holds: holds, fails: fails))
  }

  /// Returns the condition `text.contains(character)`; nil for other sequences.
  mutating func partOfText(
    _ element: any PredicateExpression, in sequence: any PredicateExpression
  ) throws(PredicateFormatError) -> LoweredCondition? {
    guard let character = constant(element) as? Character else { return nil }
    let text = PredicateExpressions.Value(String(character))
    guard case .condition(let condition) = try self.text(sequence, .contains, text) else {
      return nil
    }
    return condition
  }
}
