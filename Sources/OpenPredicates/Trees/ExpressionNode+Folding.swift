import Foundation

extension ExpressionNode {
  /// Returns the expression with additional steps; consecutive steps are in one node.
  func appending(_ path: [String]) -> ExpressionNode {
    guard !path.isEmpty else { return self }
    switch self {
    case .evaluatedObject: return .keyPath(path)
    case .keyPath(let steps): return .keyPath(steps + path)
    case .path(let base, let steps): return .path(of: base, steps + path)
    default: return .path(of: self, path)
    }
  }

  /// Returns the cast of the expression; the cast of a constant is a constant.
  func cast(to type: String) -> ExpressionNode {
    guard case .constant(let value) = self, let converted = value.cast(to: type) else {
      return .cast(self, type)
    }
    return Self.literal(converted)
  }

  /// Returns a call of a function by its canonical name.
  ///
  /// - Parameters:
  ///   - name: The name of the function. A name that is not built in remains unchanged.
  ///   - operands: The operands of the function.
  package static func named(_ name: String, _ operands: [ExpressionNode]) -> ExpressionNode {
    if let function = PredicateFunction(named: name),
      function.operandCounts.contains(operands.count)
    {
      return .function(function.name, operands)
    }
    return .function(name, operands)
  }

  /// Returns a call of a built-in function with all of its arguments; casts and indexes have their
  /// own nodes.
  static func rebuilt(
    _ name: String, _ arguments: [Any], _ assembly: inout TreeAssembly
  ) -> ExpressionNode {
    let last = (arguments.last as? NSExpression)?.constantValue ?? arguments.last
    if name == "castObject:toType:", let type = last as? String {
      return assembly.add(operand: arguments.first).cast(to: type)
    }
    let operands = arguments.map { assembly.add(operand: $0) }
    return name == "objectFrom:withIndex:"
      ? .index(operands[0], operands[1]) : named(name, operands)
  }

  /// Returns a value in the form that equality uses.
  ///
  /// NaN is not equal to itself, so it remains a cast, which makes a predicate equal to its copies.
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

  /// Returns a list of expressions; a list of constants becomes one constant.
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
  /// The value with Boolean values as numbers, and with URLs without a base.
  var normalized: Value {
    switch self {
    case .bool(let flag): .int(flag ? 1 : 0)
    case .url(let url): .url(url.absoluteURL)
    case .list(let values): .list(values.map(\.normalized))
    default: self
    }
  }
}
