import OpenObjectModel
import OpenPredicates
import OpenStoreContract

extension FilterLowering {
  /// An operand; constants are bound in the form that the target takes.
  func lower(
    _ operand: Operand, _ target: SQLTarget, in scope: SelectScope
  ) throws(StoreError) -> SQLExpression {
    switch operand {
    case .binding(let position): return .parameter(.value(position, target))
    case .property(let path):
      guard case .property(let ordinal) = path.end else { return try scope.key(after: path.steps) }
      return try scope.property(ordinal, after: path.steps).expression
    case .count(let path):
      return .scalar(try DestinationSelect(path, in: scope).pairs([.countAll]))
    case .aggregate(let aggregate, let path, let attribute):
      return try lower(aggregate, path, attribute, in: scope)
    case .function(let name, let arguments):
      var lowered: [SQLExpression] = []
      for argument in arguments { lowered.append(try lower(argument, .untyped, in: scope)) }
      return try function(name, lowered)
    }
  }

  /// What a constant compared with the operand is bound for.
  func target(of operand: Operand, in scope: SelectScope) throws(StoreError) -> SQLTarget {
    guard case .property(let path) = operand else { return .untyped }
    guard case .property(let ordinal) = path.end else { return .slot(.integer) }
    return try scope.property(ordinal, after: path.steps).column.target
  }

  private func lower(
    _ aggregate: Aggregate, _ path: RelationshipPath, _ attribute: PropertyPath,
    in scope: SelectScope
  ) throws(StoreError) -> SQLExpression {
    let destinations = try DestinationSelect(path, in: scope)
    let value = try lower(.property(attribute), .untyped, in: destinations.scope)
    let function =
      switch aggregate {
      case .sum: "SUM"
      case .average: "AVG"
      case .minimum: "MIN"
      case .maximum: "MAX"
      }
    return .scalar(destinations.rows([.function(function, [value])], where: nil))
  }

  private func function(
    _ name: String, _ arguments: [SQLExpression]
  ) throws(StoreError) -> SQLExpression {
    if arguments.count == 2, let operation = Self.arithmetic[name] {
      return .binary(operation, arguments[0], arguments[1])
    }
    guard arguments.count == 1 else { throw unknown(name) }
    switch name {
    case "abs:": return .function("abs", arguments)
    case "length:": return .function("length", arguments)
    case "uppercase:": return .function(dialect.function(.uppercase), arguments)
    case "lowercase:": return .function(dialect.function(.lowercase), arguments)
    case "canonical:": return .function(dialect.function(.canonical), arguments)
    default: throw unknown(name)
    }
  }

  private static let arithmetic: [String: SQLOperator] = [
    "add:to:": .plus, "from:subtract:": .minus, "multiply:by:": .times,
    "divide:by:": .dividedBy, "modulus:by:": .modulo,
  ]

  private func unknown(_ name: String) -> StoreError {
    StoreError(.unsupportedPredicate, "The function \(name) cannot be carried out by the store.")
  }
}
