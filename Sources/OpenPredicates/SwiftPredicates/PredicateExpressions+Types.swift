internal import Foundation

// The lowering of tests and casts of object types. A cast to a class is a cast to the entity of the
// class; the result is null for objects of other entities.

extension PredicateExpressions.TypeCheck: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    guard let entity = SwiftPredicateLowering.entity(of: Desired.self) else {
      throw lowering.unsupported(self)
    }
    // After `self`, the key is that of the object's entity, even if a property has the same name.
    let actual = try lowering.expression(input).appending(["self", "entity"])
    let holds = PredicateNode.compare(actual, .in, .constant(.string(entity)))
    let isMissing = try lowering.expression(input)
    guard input.isOptional else {
      return .condition(LoweredCondition(holds: holds, fails: .not(holds)))
    }
    return .condition(
      LoweredCondition(holds: holds, fails: .either(.isNull(isMissing), .not(holds))))
  }
}

extension PredicateExpressions.ConditionalCast: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    try lowering.cast(input, to: Desired.self, unsupported: lowering.unsupported(self))
  }
}

extension PredicateExpressions.ForceCast: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    let cast = try lowering.cast(
      input, to: Desired.self, unsupported: lowering.unsupported(self))
    if case .value(let object) = cast { lowering.guards.add([.isNotNull(object)]) }
    return cast
  }
}

extension SwiftPredicateLowering {
  /// Returns the entity of a class; nil for types without an entity.
  fileprivate static func entity(of type: Any.Type) -> String? {
    KeyPathNames.entity(of: type)
  }

  fileprivate mutating func cast(
    _ input: any PredicateExpression, to type: Any.Type, unsupported: PredicateFormatError
  ) throws(PredicateFormatError) -> LoweredExpression {
    guard let entity = Self.entity(of: type) else { throw unsupported }
    return .value(.cast(try expression(input), EntityCast.type(of: entity)))
  }
}

/// A namespace for casts of objects to entities. In a predicate, such a cast is a cast to a type
/// whose name has a reserved prefix.
package enum EntityCast {
  private static let prefix = "@entity:"

  static func type(of entity: String) -> String { prefix + entity }

  /// Returns the name of the entity to which a cast converts an object; nil for a cast of a value.
  ///
  /// - Parameter type: The name of the type in the cast.
  package static func entity(of type: String) -> String? {
    type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : nil
  }
}
