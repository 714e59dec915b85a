import Foundation

extension ExpressionNode {
  /// The expression for further steps; steps of one path are in one node.
  func appending(_ path: [String]) -> ExpressionNode {
    guard !path.isEmpty else { return self }
    switch self {
    case .evaluatedObject: return .keyPath(path)
    case .keyPath(let steps): return .keyPath(steps + path)
    case .path(let base, let steps): return .path(of: base, steps + path)
    default: return .path(of: self, path)
    }
  }

  /// The expression converted; a constant becomes the constant it means.
  func cast(to type: String) -> ExpressionNode {
    guard case .constant(let value) = self, let converted = value.cast(to: type) else {
      return .cast(self, type)
    }
    return Self.literal(converted)
  }

  /// A call under the function's canonical name; other names are those of registered functions.
  package static func named(_ name: String, _ operands: [ExpressionNode]) -> ExpressionNode {
    if let function = PredicateFunction(named: name),
      function.operandCounts.contains(operands.count)
    {
      return .function(function.name, operands)
    }
    return .function(name, operands)
  }

  /// A value in the form equality uses.
  ///
  /// What is no number is not equal to itself; it stays the cast it is written as, so that a
  /// predicate with it is equal to its copies.
  static func literal(_ value: Value) -> ExpressionNode {
    switch value {
    case .bool, .url: .constant(value.normalized)
    case .double(let real) where real.isNaN: notANumber("NSNumber")
    case .date(let seconds) where seconds.isNaN: notANumber("NSDate")
    case .decimal(let box) where box.decimal.isNaN: notANumber("NSDecimalNumber")
    case .list(let values): folded(values.map(literal))
    default: .constant(value)
    }
  }

  private static func notANumber(_ type: String) -> ExpressionNode {
    .cast(.constant(.string("nan")), type)
  }

  /// An aggregate of constants is one list.
  static func folded(_ elements: [ExpressionNode]) -> ExpressionNode {
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      guard case .constant(let value) = element else { return .aggregate(elements) }
      values.append(value)
    }
    return .constant(.list(values))
  }
}

extension Value {
  /// The value with truth values as the numbers they are written as, and URLs without a base.
  var normalized: Value {
    switch self {
    case .bool(let flag): .int(flag ? 1 : 0)
    case .url(let url): .url(url.absoluteURL)
    case .list(let values): .list(values.map(\.normalized))
    default: self
    }
  }
}
