import Foundation

/// Code inside trees: blocks, predicates of other classes, and Swift key paths, which are
/// arguments.
///
/// A function name identifies the kind of the first operand. A format that uses such a name with
/// another operand calls an unknown function.
enum EmbeddedCode {
  static let block = "evaluateBlock:"
  static let predicate = "evaluatePredicate:"
  static let keyPath = "valueForSwiftKeyPath:"

  /// The block of a block expression.
  final class Block {
    typealias Body = (Any?, [Any], NSMutableDictionary?) -> Any
    let body: Body

    init(_ body: @escaping Body) {
      self.body = body
    }
  }

  /// Returns the comparison of a predicate's result with `true`.
  static func node(of predicate: ExpressionNode) -> PredicateNode {
    .comparison(
      ComparisonNode(
        left: .function(Self.predicate, [predicate, .evaluatedObject]),
        right: .constant(.int(1)), operation: .equal))
  }

  /// Returns the number of the argument with the predicate that a node calls; nil if the node calls
  /// none.
  static func place(in node: PredicateNode) -> Int? {
    guard case .comparison(let comparison) = node,
      case .function(Self.predicate, let operands) = comparison.left,
      case .argument(let number)? = operands.first
    else { return nil }
    return number
  }
}

/// An object with methods that expressions call by selector, as in `FUNCTION($manager, "selector:",
/// argument)`.
package protocol MessageReceiver: AnyObject {
  /// Returns the result of a method; nil if the object has no such method.
  ///
  /// - Parameters:
  ///   - selector: The selector of the method, with its colons.
  ///   - arguments: The arguments of the method.
  func result(of selector: String, _ arguments: [Any?]) -> MessageResult?
}

/// The result of a method that an expression called.
///
/// The structure distinguishes a method that returned nil from a missing method.
package struct MessageResult {
  /// The value that the method returned; nil if the method returned nil or threw an error.
  package var value: Any?

  package init(value: Any?) { self.value = value }
}

extension PredicateEvaluator {
  /// Returns the result of a function that is not built in; nil if no function has the name.
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

  /// Returns the result of a message to an object; nil if the object receives no messages.
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

  /// Returns whether the function of a custom selector reports that a comparison is true.
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
    // A single value is its own element.
    let elements: [Any?] = one.map { Collections.members(of: $0) ?? [$0] } ?? []
    switch modifier {
    case .direct: return isTrue(one)
    case .any: return elements.contains(where: isTrue)
    case .all: return elements.allSatisfy(isTrue)
    }
  }
}
