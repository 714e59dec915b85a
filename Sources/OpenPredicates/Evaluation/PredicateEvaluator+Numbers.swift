internal import Foundation

// A fetch converts a constant to the type of the property with which it is compared. Evaluation in
// memory converts constants in the same way, so that it selects the same objects.

extension PredicateEvaluator {
  /// Returns both sides of a comparison, after converting a constant that is compared with a number
  /// or a string of the object.
  func converted(
    _ left: EvaluatedOperand, _ node: ComparisonNode, _ right: EvaluatedOperand
  ) -> (EvaluatedOperand, EvaluatedOperand) {
    (
      converted(left, node.left, beside: right, node.right),
      converted(right, node.right, beside: left, node.left)
    )
  }

  private func converted(
    _ operand: EvaluatedOperand, _ node: ExpressionNode, beside other: EvaluatedOperand,
    _ otherNode: ExpressionNode
  ) -> EvaluatedOperand {
    guard case .value(let value) = other, !isWritten(otherNode) else { return operand }
    guard value.isNumber || other.text != nil else { return operand }
    if case .aggregate(let nodes) = node, case .collection(let members) = operand {
      return .collection(
        zip(nodes, members).map { converted($1, $0, beside: other, otherNode) })
    }
    guard isWritten(node) else { return operand }
    return value.isNumber ? operand.converted(beside: value) : operand.withTextOfNumbers
  }
}

extension EvaluatedOperand {
  /// The operand with strings in place of numbers.
  fileprivate var withTextOfNumbers: EvaluatedOperand {
    switch self {
    case .value(let number) where number.isNumber:
      number.textForm.map { .value(.string($0)) } ?? self
    case .collection(let members) where members.contains(where: { $0.text == nil }):
      .collection(members.map(\.withTextOfNumbers))
    case .value, .collection, .object: self
    }
  }

  /// Returns the operand with numbers in place of numeric strings.
  ///
  /// If the other operand is a floating-point number, an integer without an exact floating-point
  /// representation is rounded.
  fileprivate func converted(beside number: Value) -> EvaluatedOperand {
    guard isConverted(beside: number) else { return self }
    switch self {
    case .value(.string(let text)):
      guard let value = Value.number(in: text) else { return self }
      return EvaluatedOperand.value(value).converted(beside: number)
    case .value(.int(let integer)): return .value(.double(Double(integer)))
    case .collection(let members):
      return .collection(members.map { $0.converted(beside: number) })
    case .value, .object: return self
    }
  }

  private func isConverted(beside number: Value) -> Bool {
    switch self {
    case .value(.string): return true
    case .value(.int(let integer)):
      guard case .double = number else { return false }
      return integer.magnitude > 1 << 53
    case .collection(let members): return members.contains { $0.isConverted(beside: number) }
    case .value, .object: return false
    }
  }
}

extension Value {
  /// Whether the value is a number or a date that is NaN. A store contains null instead of NaN.
  package var isNaN: Bool {
    switch self {
    case .double(let real), .date(let real): real.isNaN
    case .decimal(let box): box.decimal.isNaN
    default: false
    }
  }

  /// Whether the value is a number or a Boolean value; false for a date.
  var isNumber: Bool {
    switch self {
    case .bool, .int, .double, .decimal: true
    default: false
    }
  }
}
