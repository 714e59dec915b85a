internal import Foundation

// The lowering of the values of Foundation's predicates: captured values, properties and
// calculations.

extension PredicateExpressions.Value: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression { try lowering.value(value) }
}

extension PredicateExpressions.NilLiteral: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression { .value(.constant(.null)) }
}

extension PredicateExpressions.Variable: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression { try lowering.variable(key) }
}

extension PredicateExpressions.KeyPath: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    let base = try lowering.owner(root)
    guard base.isOfRow else { throw lowering.unsupported(self) }
    switch kind {
    case .collectionCount where !(Root.Output.self is any StringProtocol.Type):
      return .value(base.appending(["@count"]))
    case .collectionIsEmpty:
      return .condition(Self.emptiness(of: base))
    case nil:
      if ValueMembers.isRawValue(keyPath) { return .value(base) }
      let names = try Self.names(of: keyPath)
      let node = base.appending(names)
      if Root.Output.self is any KeyPathNaming.Type
        || ValueMembers.isIdentifier(Output.self, named: names.last)
      {
        return .value(node)
      }
      if !ValueMembers.isScalar(Output.self), KeyPathNames.isEncoded(keyPath) {
        return .encoded(node)
      }
      return ValueMembers.isStructure(Output.self) ? .structure(node) : .value(node)
    default: throw lowering.unsupported(self)
    }
  }

  /// Returns the names of the properties in a key path.
  private static func names(of keyPath: AnyKeyPath) throws(PredicateFormatError) -> [String] {
    guard KeyPathNames.areKnown(of: Root.Output.self) else {
      guard let name = ValueMembers.name(of: keyPath) else {
        throw .noForm("a member of \(Root.Output.self)")
      }
      if ValueMembers.isCollection(Output.self) { throw .noForm("a collection in a structure") }
      return [name]
    }
    guard let path = KeyPathNames.name(of: keyPath) else { throw .notStored(keyPath) }
    return path.split(separator: ".").map(String.init)
  }

  private static func emptiness(of base: ExpressionNode) -> LoweredCondition {
    if Root.Output.self is any StringProtocol.Type {
      return .equality(base, .constant(.string("")))
    }
    return .emptiness(of: base)
  }
}

extension PredicateExpressions.Arithmetic: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    let name =
      switch op {
      case .add: "add:to:"
      case .subtract: "from:subtract:"
      case .multiply: "multiply:by:"
      @unknown default: ""
      }
    if name.isEmpty || !SwiftPredicateLowering.calculates(Output.self) {
      throw lowering.unsupported(self)
    }
    return try lowering.function(name, lhs, rhs)
  }
}

extension PredicateExpressions.FloatDivision: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    // In SQL, the result of a division is never infinity or NaN.
    guard let divisor = lowering.constant(rhs) as? Double, divisor.isFinite, divisor != 0 else {
      throw lowering.unsupported(self)
    }
    return try lowering.function("divide:by:", lhs, rhs)
  }
}

extension PredicateExpressions.IntDivision: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    guard SwiftPredicateLowering.calculates(Output.self) else { throw lowering.unsupported(self) }
    return try lowering.function("divide:by:", lhs, rhs)
  }
}

extension PredicateExpressions.IntRemainder: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    guard SwiftPredicateLowering.calculates(Output.self) else { throw lowering.unsupported(self) }
    return try lowering.function("modulus:by:", lhs, rhs)
  }
}

extension PredicateExpressions.UnaryMinus: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    guard SwiftPredicateLowering.calculates(Output.self) else { throw lowering.unsupported(self) }
    let operand = try lowering.expression(wrapped)
    return .value(.function("from:subtract:", [.constant(.int(0)), operand]))
  }
}

extension SwiftPredicateLowering {
  fileprivate mutating func function(
    _ name: String, _ left: any PredicateExpression, _ right: any PredicateExpression
  ) throws(PredicateFormatError) -> LoweredExpression {
    let first = try expression(left)
    return .value(.function(name, [first, try expression(right)]))
  }
}

// MARK: - Optionals

extension PredicateExpressions.NilCoalesce: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    if let known = lowering.constant(self) { return try lowering.value(known) }
    if case .condition(let condition) = try lowering.lower(lhs) {
      return .condition(condition.orElse(try lowering.condition(rhs)))
    }
    let value = try lowering.expression(lhs)
    let other = try lowering.expression(rhs, unless: .isNotNull(value))
    return .value(.conditional(.isNull(value), lowering.numberKnown(other), value))
  }
}

extension LoweredCondition {
  /// Returns the condition, or another condition if this condition has no value.
  fileprivate func orElse(_ other: LoweredCondition) -> LoweredCondition {
    guard let isMissing else { return self }
    return LoweredCondition(
      holds: .either(.all(isMissing, other.holds), holds),
      fails: .either(.all(isMissing, other.fails), fails))
  }

  /// Returns the condition after `?.` on a value; it has a value if that value is not null.
  fileprivate func ofPresent(_ value: ExpressionNode) -> LoweredCondition {
    let isNull = PredicateNode.isNull(value)
    let isPresent = PredicateNode.isNotNull(value)
    return LoweredCondition(
      holds: .all(isPresent, holds), fails: .all(isPresent, fails),
      isMissing: isMissing.map { .either(isNull, .all(isPresent, $0)) } ?? isNull)
  }
}

extension PredicateExpressions.OptionalFlatMap: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    let meaning = try lowering.lower(wrapped)
    let value = try lowering.owner(wrapped)
    let isStructure = if case .structure = meaning { true } else { false }
    let count = lowering.guards.count
    let result = try lowering.with(
      variable.key, as: isStructure ? .structure(value) : .value(value)
    ) {
      (lowering) throws(PredicateFormatError) in try lowering.lower(transform)
    }
    let inner = lowering.guards.take(after: count)
    let required = try lowering.requiredValue(of: wrapped, value)
    if isStructure { lowering.guards.note(structure: value) }
    lowering.guards.add(inner, unless: required.map { .isNull($0) } ?? .constant(false))
    switch result {
    case .structure, .encoded: return result
    // `text?.caseInsensitiveCompare(other)` is nil if the string is nil.
    case .order(let text, _, _) where text == value: return result
    case .value(let node) where node.isNullWithOperands: return .value(node)
    // A structure is nil if all of its members are nil, which only a path can express.
    case _ where isStructure: throw .noForm("a structure as a whole")
    case .condition(let condition):
      return .condition(required.map { condition.ofPresent($0) } ?? condition)
    case .value(let node):
      return .value(required.map { .conditional(.isNull($0), .constant(.null), node) } ?? node)
    case .order, .range: throw lowering.unsupported(self)
    }
  }
}

extension ExpressionNode {
  fileprivate var isNullWithOperands: Bool {
    switch self {
    case .keyPath(let path), .path(_, let path): path.last != "@count"
    default: false
    }
  }
}

extension PredicateExpressions.Conditional: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    if let known = lowering.constant(self) { return try lowering.value(known) }
    let test = try lowering.condition(test)
    guard Output.self == Bool.self else {
      lowering.requireResult(of: test, self.test)
      let first = try lowering.expression(trueBranch, unless: test.fails)
      let second = try lowering.expression(falseBranch, unless: test.holds)
      return .value(
        .conditional(test.holds, lowering.numberKnown(first), lowering.numberKnown(second)))
    }
    let (first, second) = (try lowering.condition(trueBranch), try lowering.condition(falseBranch))
    return .condition(
      LoweredCondition(
        holds: .either(.all(test.holds, first.holds), .all(test.fails, second.holds)),
        fails: .either(.all(test.holds, first.fails), .all(test.fails, second.fails))))
  }
}

// MARK: - Ranges

extension PredicateExpressions.Range: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    let bound = try lowering.expression(lower)
    return .range(
      LoweredRange(lower: bound, upper: try lowering.expression(upper), isClosed: false))
  }
}

extension PredicateExpressions.ClosedRange: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    let bound = try lowering.expression(lower)
    return .range(LoweredRange(lower: bound, upper: try lowering.expression(upper), isClosed: true))
  }
}
