import Foundation

/// Code inside trees: blocks, predicates of other classes and Swift key paths, which are arguments.
///
/// A call names what its first operand is; a format that uses the name with anything else calls a
/// function that is not known.
enum EmbeddedCode {
  static let block = "evaluateBlock:"
  static let predicate = "evaluatePredicate:"
  static let keyPath = "valueForSwiftKeyPath:"

  /// The block of an expression.
  final class Block {
    typealias Body = (Any?, [Any], NSMutableDictionary?) -> Any
    let body: Body

    init(_ body: @escaping Body) {
      self.body = body
    }
  }

  /// A predicate as a comparison of its result with true.
  static func node(of predicate: ExpressionNode) -> PredicateNode {
    .comparison(
      ComparisonNode(
        left: .function(Self.predicate, [predicate, .evaluatedObject]),
        right: .constant(.int(1)), operation: .equal))
  }

  /// The place of the predicate that a node calls; nil when it calls none.
  static func place(in node: PredicateNode) -> Int? {
    guard case .comparison(let comparison) = node,
      case .function(Self.predicate, let operands) = comparison.left,
      case .argument(let number)? = operands.first
    else { return nil }
    return number
  }
}

/// An object whose methods functions of expressions call by selector, as `FUNCTION($manager, "selector:", argument)` does.
package protocol MessageReceiver: AnyObject {
  /// The result of a method; nil when there is no such method.
  func result(of selector: String, _ arguments: [Any?]) -> MessageResult?
}

/// What a method returned, which may be nil.
package struct MessageResult {
  package var value: Any?

  package init(value: Any?) { self.value = value }
}

extension PredicateEvaluator {
  /// The result of a function that is not built in; nil when no function has that name.
  func called(_ name: String, _ operands: [ExpressionNode], for object: Any?) -> Any? {
    let values = operands.map { any($0, for: object) }
    if let target = values.first ?? nil {
      switch name {
      case EmbeddedCode.block:
        if let block = target as? EmbeddedCode.Block { return result(of: block, values, object) }
      case EmbeddedCode.predicate:
        if let predicate = target as? NSPredicate {
          return predicate.holds(for: object, variables, failures)
        }
      case EmbeddedCode.keyPath:
        if let path = target as? AnyKeyPath { return object.flatMap { $0[keyPath: path] } }
      default:
        if let result = sent(name, to: target, values.dropFirst()) { return result.value }
      }
    }
    guard let function = PredicateFunctions.function(named: name) else {
      failures?.add(.unknownFunction(name))
      return nil
    }
    return function(values)
  }

  /// The result of a message to an object; nil when the object takes no messages.
  private func sent(
    _ selector: String, to target: Any, _ arguments: ArraySlice<Any?>
  ) -> MessageResult? {
    let result =
      switch target {
      case let receiver as any MessageReceiver: receiver.result(of: selector, Array(arguments))
      case let readable as any KeyValueReadable where selector == "valueForKey:":
        (arguments.first as? String).map {
          MessageResult(value: readable.__stepValue(forKey: $0))
        }
      default: MessageResult?.none
      }
    guard let result, result.value is NoSuchKey else { return result }
    failures?.add(
      .unknownKey((arguments.first ?? nil).map { "\($0)" } ?? selector, of: target))
    return MessageResult(value: nil)
  }

  private func result(
    of block: EmbeddedCode.Block, _ operands: [Any?], _ object: Any?
  ) -> Any? {
    let context = variables.isEmpty ? nil : NSMutableDictionary(dictionary: variables)
    return block.body(object, operands.dropFirst().map { $0 ?? NSNull() }, context)
  }

  /// Whether a custom selector's function says that a comparison holds.
  func holds(
    _ selector: String?, _ left: ExpressionNode, _ right: ExpressionNode,
    _ modifier: ComparisonModifier, for object: Any?
  ) -> Bool {
    guard let selector, let function = PredicateFunctions.function(named: selector) else {
      failures?.add(.unknownFunction(selector ?? ""))
      return false
    }
    let (one, other) = (any(left, for: object), any(right, for: object))
    func isTrue(_ element: Any?) -> Bool {
      switch Value(any: function([element, other])) {
      case .bool(let flag): flag
      case .int(let integer): integer != 0
      case .double(let real): real != 0
      default: false
      }
    }
    switch modifier {
    case .direct: return isTrue(one)
    case .any: return (one.flatMap(Collections.members) ?? []).contains(where: isTrue)
    case .all: return (one.flatMap(Collections.members) ?? []).allSatisfy(isTrue)
    }
  }
}
