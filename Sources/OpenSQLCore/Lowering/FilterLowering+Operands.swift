import OpenObjectModel
import OpenPredicates
import OpenStoreContract

extension FilterLowering {
  /// Returns the expression for an operand. Constants are bound in the form that the target
  /// requires.
  func lower(
    _ operand: Operand, _ target: SQLTarget, in scope: SelectScope
  ) throws(StoreError) -> SQLExpression {
    switch operand {
    case .binding(let position): return .parameter(.value(position, target))
    case .property(let path):
      let scope = try scope.outer(path.level)
      guard case .property(let ordinal) = path.end else {
        return try scope.key(after: path.steps, from: path.entityIndex)
      }
      return try scope.property(ordinal, after: path.steps, from: path.entityIndex).expression
    case .entityNumber(let path):
      return try scope.outer(path.level).entityNumber(after: path.steps, from: path.entityIndex)
    case .count(let path, nil):
      return .scalar(try DestinationSelect(path, in: scope).pairs([.countAll]))
    case .count(let path, let filter?):
      let destinations = try DestinationSelect(path, in: scope)
      let condition = try self.lower(filter, in: destinations.scope)
      return .scalar(destinations.rows([.countAll], where: condition))
    case .aggregate(let aggregate, let path, let element, let filter):
      let destinations = try DestinationSelect(path, in: scope)
      let value = try lower(element, .untyped, in: destinations.scope)
      let condition = try filter.map { (filter) throws(StoreError) in
        try self.lower(filter, in: destinations.scope)
      }
      let total = SQLExpression.aggregate(aggregate.sqlName, value, isDistinct: false)
      return .scalar(destinations.rows([total], where: condition))
    case .function(let name, let operands):
      return try function(name, operands, in: scope)
    case .conditional(let filter, let first, let second):
      return .choice(
        try self.lower(filter, in: scope), try lower(first, target, in: scope),
        try lower(second, target, in: scope))
    case .rowCount: return .countAll
    case .total(let aggregate, let element, let isDistinct):
      let total = SQLExpression.aggregate(
        aggregate.sqlName, try lower(element, .untyped, in: scope), isDistinct: isDistinct)
      // In SQL, the sum of no values is null.
      return aggregate == .sum
        ? .function(dialect.firstPresentFunction, [total, .integer(0)]) : total
    case .column(let position):
      guard columns.indices.contains(position) else { throw Self.unknownColumn }
      return try lower(columns[position], target, in: scope)
    }
  }

  private static let unknownColumn = StoreError(
    .unsupportedPredicate, "The predicate refers to a column that the result does not contain.")

  /// Returns the target for a constant that is compared with an operand.
  func target(of operand: Operand, in scope: SelectScope) throws(StoreError) -> SQLTarget {
    if case .column(let position) = operand, columns.indices.contains(position) {
      return try target(of: columns[position], in: scope)
    }
    guard case .property(let path) = operand else { return .untyped }
    guard case .property(let ordinal) = path.end else { return .slot(.integer) }
    let scope = try scope.outer(path.level)
    return try scope.property(ordinal, after: path.steps, from: path.entityIndex).column.target
  }

  /// Translates arithmetic to SQL operators, and any other function to a call of the code that
  /// evaluates predicates in memory.
  private func function(
    _ name: String, _ operands: [Operand], in scope: SelectScope
  ) throws(StoreError) -> SQLExpression {
    var lowered: [SQLExpression] = []
    for operand in operands { lowered.append(try lower(operand, .untyped, in: scope)) }
    if lowered.count == 2, let operation = Self.operators[name] {
      if operation == .dividedBy, try hasReals(in: operands, scope) {
        lowered[0] = .binary(.times, lowered[0], .real(1))
      }
      return .binary(operation, lowered[0], lowered[1])
    }
    if name == "noindex:", lowered.count == 1 { return .noIndex(lowered[0]) }
    if lowered.count == 1, let function = Self.texts[name] {
      return .function(dialect.function(function), lowered)
    }
    if name == "castObject:toType:", let first = operands.first, isDate(first, in: scope) {
      lowered[0] = .binary(.times, lowered[0], .real(1))
    }
    guard ValueFunction.isPure(name) else {
      throw StoreError(
        .unsupportedPredicate, "The store cannot evaluate the function \(name).")
    }
    return .function(dialect.function(.value), [.text(name)] + lowered)
  }

  /// Returns whether an operand may be a decimal number or a date, which a column stores as an
  /// integer if it has no fraction.
  ///
  /// SQL truncates the quotient of integers, so such numbers must be converted to real numbers
  /// before they are divided.
  private func hasReals(_ operand: Operand, in scope: SelectScope) throws(StoreError) -> Bool {
    switch operand {
    case .property(let path):
      switch path.property(in: scope.schema.model)?.attribute?.type {
      case .decimal, .date: return true
      default: return false
      }
    case .aggregate(_, _, let element, _), .total(_, let element, _):
      return try hasReals(element, in: scope)
    case .function(_, let operands): return try hasReals(in: operands, scope)
    case .conditional(_, let first, let second):
      return try hasReals(in: [first, second], scope)
    case .column(let position):
      return columns.indices.contains(position) ? try hasReals(columns[position], in: scope) : false
    case .binding, .entityNumber, .count, .rowCount: return false
    }
  }

  private func hasReals(
    in operands: [Operand], _ scope: SelectScope
  ) throws(StoreError) -> Bool {
    for operand in operands where try hasReals(operand, in: scope) { return true }
    return false
  }

  /// Returns whether an operand is a date, which is a real number wherever it is converted to text.
  private func isDate(_ operand: Operand, in scope: SelectScope) -> Bool {
    guard case .property(let path) = operand else { return false }
    return path.property(in: scope.schema.model)?.attribute?.type == .date
  }

  private static let operators: [String: SQLOperator] = [
    "add:to:": .plus, "from:subtract:": .minus, "multiply:by:": .times,
    "divide:by:": .dividedBy, "bitwiseAnd:with:": .bitAnd,
    "bitwiseOr:with:": .bitOr, "leftshift:by:": .shiftLeft, "rightshift:by:": .shiftRight,
  ]

  private static let texts: [String: TextFunction] = [
    "uppercase:": .uppercase, "lowercase:": .lowercase, "canonical:": .canonical,
  ]
}

extension Aggregate {
  /// The name of the SQL function.
  fileprivate var sqlName: String {
    switch self {
    case .sum: "SUM"
    case .average: "AVG"
    case .minimum: "MIN"
    case .maximum: "MAX"
    case .count: "COUNT"
    }
  }
}
