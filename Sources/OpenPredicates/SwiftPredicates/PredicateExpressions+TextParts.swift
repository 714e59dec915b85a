internal import Foundation

// How parts of texts are lowered.

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
  /// A comparison of two texts.
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
      // Without options it is a range, which an index serves.
      holds = .all(.compare(left, .beginsWith, right), holds)
    }
    return .condition(LoweredCondition(holds: holds, fails: fails))
  }

  /// `text.contains(character)`; nil for other sequences.
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
