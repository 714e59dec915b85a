internal import Foundation

// The types for which stores agree with Swift, and those for which they do not.

extension SwiftPredicateLowering {
  /// Returns whether stores calculate with numbers of a type as Swift does.
  ///
  /// Stores calculate with 64-bit integers and 64-bit floating-point numbers.
  static func calculates(_ type: Any.Type) -> Bool {
    let types: [Any.Type] = [
      Int.self, Double.self, Int64.self, Int32.self, Int16.self, Int8.self, UInt32.self,
      UInt16.self, UInt8.self,
    ]
    return types.contains { $0 == type }
  }

  /// Returns whether stores order values of a type as Swift does; a program's own types have their
  /// own order.
  static func orders(_ type: Any.Type) -> Bool {
    let types: [Any.Type] = [
      String.self, Date.self, Decimal.self, UUID.self, Float.self, Substring.self, UInt64.self,
      UInt.self,
    ]
    return calculates(type) || types.contains { $0 == type }
  }

  /// Lowers the test of whether a range contains a value. The test uses the order of `<`.
  mutating func membership(
    of element: any PredicateExpression, in range: LoweredRange
  ) throws(PredicateFormatError) -> LoweredCondition {
    guard Self.ordersValues(of: element) else { throw .noForm("a range of a custom type") }
    let options: StringOptions = Self.isText(element) ? .characters : []
    return range.contains(try expression(element), options)
  }

  private static func ordersValues<Expression: PredicateExpression>(
    of expression: Expression
  ) -> Bool {
    orders(Expression.Output.self)
  }

  /// Returns whether a null value in a store may be NaN in Swift, where all comparisons except `!=`
  /// are then false.
  func mayBeNaN(_ node: ExpressionNode, _ expression: any PredicateExpression) -> Bool {
    guard case .function = node, Self.isDouble(expression) else { return false }
    return !ExpressionWalk.contains(expression) { $0 is any ForcedUnwrapping }
  }

  /// Returns whether the value is a string or an optional string.
  static func isText<Expression: PredicateExpression>(_ expression: Expression) -> Bool {
    let type = (Expression.Output.self as? any OptionalWrapping.Type)?.wrappedType
    return (type ?? Expression.Output.self) is any StringProtocol.Type
  }

  /// Throws an error for the characters of a string and the bytes of data, which are not elements
  /// in a store.
  static func requireElements<Expression: PredicateExpression>(
    of sequence: Expression
  ) throws(PredicateFormatError) {
    let type: Any.Type = Expression.Output.self
    if type is any StringProtocol.Type { throw .noForm("a condition on characters of a string") }
    if type == Data.self { throw .noForm("a condition on the bytes of data") }
  }

  /// Returns a number literal for a captured number, so that stores know the types of the values of
  /// a conditional expression. Other nodes are unchanged.
  func numberKnown(_ node: ExpressionNode) -> ExpressionNode {
    guard case .argument(let place) = node, let value = Value(any: arguments[place]) else {
      return node
    }
    switch value {
    case .int, .double: return .constant(value)
    default: return node
    }
  }

  private static func isDouble<Expression: PredicateExpression>(_ expression: Expression) -> Bool {
    Expression.Output.self == Double.self
  }

  /// Returns equality and its negation. A captured string matches all its spellings, because stores
  /// compare bytes.
  mutating func comparisons(
    _ one: ExpressionNode, _ other: ExpressionNode, areTexts: Bool
  ) -> (holds: PredicateNode, fails: PredicateNode) {
    if let list = spellings(of: other) {
      let isMember = PredicateNode.compare(one, .in, list)
      return (isMember, .not(isMember))
    }
    if let list = spellings(of: one) {
      let isMember = PredicateNode.compare(other, .in, list)
      return (isMember, .not(isMember))
    }
    let options: StringOptions = areTexts && one.isOfRow && other.isOfRow ? .characters : []
    return (.compare(one, .equal, other, options), .compare(one, .notEqual, other, options))
  }

  /// Returns a list of the spellings of a captured string; nil if there is only one.
  private mutating func spellings(of node: ExpressionNode) -> ExpressionNode? {
    guard case .argument(let place) = node, let text = Self.text(arguments[place]) else {
      return nil
    }
    let spellings = SwiftText.spellings(text)
    guard spellings.count > 1 else { return nil }
    return append(spellings)
  }

  /// Returns a captured list with all spellings of its strings.
  mutating func spelledOut(_ collection: ExpressionNode) -> ExpressionNode {
    guard case .argument(let place) = collection,
      let elements = arguments[place] as? any Collection, let texts = Self.texts(elements)
    else { return collection }
    let all = texts.flatMap(SwiftText.spellings)
    return all.count == texts.count ? collection : append(all)
  }

  private static func text(_ value: Any?) -> String? {
    (value as? any StringProtocol).map { String($0) }
  }

  /// Returns the strings of a collection of strings; nil for another collection.
  private static func texts<Elements: Collection>(_ elements: Elements) -> [String]? {
    var result: [String] = []
    for element in elements {
      guard let text = text(element) else { return nil }
      if result.isEmpty { result.reserveCapacity(elements.count) }
      result.append(text)
    }
    return result
  }

  private mutating func append(_ value: Any) -> ExpressionNode {
    addArgument(value)
    return .argument(arguments.count - 1)
  }
}

extension ExpressionNode {
  /// Whether the value may differ from row to row.
  var isOfRow: Bool {
    switch self {
    case .constant, .argument: false
    default: true
    }
  }

  var isArgument: Bool {
    if case .argument = self { return true }
    return false
  }
}

/// An expression that has no result for some values: a forced unwrap or a forced cast.
protocol ForcedUnwrapping {}

extension PredicateExpressions.ForcedUnwrap: ForcedUnwrapping {}
extension PredicateExpressions.ForceCast: ForcedUnwrapping {}
