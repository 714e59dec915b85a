internal import Foundation

// Where stores agree with Swift, and where they do not.

extension SwiftPredicateLowering {
  /// Whether stores calculate with numbers of a type as Swift does.
  ///
  /// They calculate with integers of 64 bits and floating-point numbers of 64 bits.
  static func calculates(_ type: Any.Type) -> Bool {
    let types: [Any.Type] = [
      Int.self, Double.self, Int64.self, Int32.self, Int16.self, Int8.self, UInt32.self,
      UInt16.self, UInt8.self,
    ]
    return types.contains { $0 == type }
  }

  /// Whether stores order values of a type as Swift does; types of programs have orders of their own.
  static func orders(_ type: Any.Type) -> Bool {
    let types: [Any.Type] = [
      String.self, Date.self, Decimal.self, UUID.self, Float.self, Substring.self, UInt64.self,
      UInt.self,
    ]
    return calculates(type) || types.contains { $0 == type }
  }

  /// Whether a value that is null in a store is NaN in Swift, for which all comparisons but `!=` are false.
  func mayBeNaN(_ node: ExpressionNode, _ expression: any PredicateExpression) -> Bool {
    guard case .function = node, Self.isDouble(expression) else { return false }
    return !ExpressionWalk.contains(expression) { $0 is any ForcedUnwrapping }
  }

  /// Whether the value is a text, or an optional one.
  static func isText<Expression: PredicateExpression>(_ expression: Expression) -> Bool {
    let type = (Expression.Output.self as? any OptionalWrapping.Type)?.wrappedType
    return (type ?? Expression.Output.self) is any StringProtocol.Type
  }

  /// A number that is written in the predicate, which stores have to know for a choice; other nodes as they are.
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

  /// Equality and its opposite. A captured text matches all its spellings, because stores compare bytes.
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

  /// A list of the spellings of a captured text; nil where it has one only.
  private mutating func spellings(of node: ExpressionNode) -> ExpressionNode? {
    guard case .argument(let place) = node, let text = Self.text(arguments[place]) else {
      return nil
    }
    let spellings = SwiftText.spellings(text)
    guard spellings.count > 1 else { return nil }
    return append(spellings)
  }

  /// A captured list with all spellings of its texts.
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

  /// The texts of a collection of texts; nil for another collection.
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
}

/// Tells ``PredicateExpressions/ForcedUnwrap`` from others.
protocol ForcedUnwrapping {}

extension PredicateExpressions.ForcedUnwrap: ForcedUnwrapping {}
