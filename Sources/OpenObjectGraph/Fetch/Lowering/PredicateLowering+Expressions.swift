internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

extension PredicateLowering {
  /// Lowers one side of a comparison.
  mutating func term(_ node: ExpressionNode) throws -> Term {
    if dependsOnRow(node, []) { return try rowTerm(node) }
    switch node {
    case .constant(let value): return .constant(value)
    case .argument(let index):
      guard arguments.indices.contains(index) else {
        throw unsupported("An expression contains an object that is not in a store.")
      }
      let argument = arguments[index]
      if let entity = argument as? NSEntityDescription { return .entityNamed(entity.name ?? "") }
      if let argument, Value(any: argument) == nil { throw Self.untranslatable(argument) }
      return .argument(index)
    case .variable(let name):
      guard let value = variables[name] else {
        throw unsupported("The variable $\(name) has no value.")
      }
      if let entity = value as? NSEntityDescription { return .entityNamed(entity.name ?? "") }
      guard let value = Value(any: value) else {
        throw Untranslatable(reason: "a variable of the type \(type(of: value))")
      }
      return .constant(value)
    case .aggregate(let members):
      var terms: [Term] = []
      for member in members { terms.append(try term(member)) }
      return .list(terms)
    default:
      if let name = unboundVariable(in: node) {
        throw unsupported("The variable $\(name) has no value.")
      }
      if node.needsValues { throw NeedsValues() }
      try checkArguments(of: node)
      return .expression(node)
    }
  }

  /// Lowers the collection of `IN` or `CONTAINS`; the members of a dictionary are its values.
  mutating func collection(_ node: ExpressionNode) throws -> Term {
    switch node {
    case .argument(let index) where arguments.indices.contains(index):
      if Value(valuesOf: arguments[index]) != nil { return .argument(index) }
    case .variable(let name) where !dependsOnRow(node, []):
      if let values = Value(valuesOf: variables[name]) { return .constant(values) }
    default: break
    }
    return try term(node)
  }

  /// The reason for evaluating a condition with an argument that is not a value in memory.
  private static func untranslatable(_ argument: Any) -> Untranslatable {
    Untranslatable(reason: "an argument of the type \(type(of: argument))")
  }

  /// Throws for an expression with arguments that are not values, so that it is evaluated in
  /// memory.
  private func checkArguments(of node: ExpressionNode) throws {
    _ = try TreeReplacement { node, _ in
      guard case .argument(let index) = node else { return nil }
      guard arguments.indices.contains(index) else {
        throw unsupported("An expression contains an object that is not in a store.")
      }
      guard let argument = arguments[index], Value(any: argument) == nil else { return nil }
      throw Self.untranslatable(argument)
    }.expression(node)
  }

  /// Returns a variable without a value in an expression that is equal for all rows; nil if there
  /// is none.
  private func unboundVariable(in node: ExpressionNode) -> String? {
    var found: String?
    _ = try? TreeReplacement { node, subqueries in
      if case .variable(let name) = node, !subqueries.have(name), variables[name] == nil {
        found = name
      }
      return nil
    }.expression(node)  // The closure never throws.
    return found
  }

  /// Returns whether the value of an expression may differ between rows.
  func dependsOnRow(_ node: ExpressionNode, _ bound: Set<String>) -> Bool {
    switch node {
    case .constant, .argument, .fetch: false
    case .evaluatedObject, .keyPath, .anyKey: true
    case .variable(let name):
      !bound.contains(name) && (iterators[name] != nil || columns[name] != nil)
    case .path(let base, _), .first(let base), .last(let base), .size(let base), .cast(let base, _):
      dependsOnRow(base, bound)
    case .assignment(_, let inner): dependsOnRow(inner, bound)
    case .aggregate(let parts), .function(_, let parts):
      parts.contains { dependsOnRow($0, bound) }
    case .setOperation(_, let left, let right), .index(let left, let right):
      dependsOnRow(left, bound) || dependsOnRow(right, bound)
    case .subquery(let collection, let name, let filter):
      dependsOnRow(collection, bound) || dependsOnRow(filter, bound.union([name]))
    case .conditional(let condition, let first, let second):
      dependsOnRow(condition, bound) || dependsOnRow(first, bound) || dependsOnRow(second, bound)
    }
  }

  private func dependsOnRow(_ node: PredicateNode, _ bound: Set<String>) -> Bool {
    switch node {
    case .constant: false
    case .not(let part): dependsOnRow(part, bound)
    case .and(let parts), .or(let parts): parts.contains { dependsOnRow($0, bound) }
    case .comparison(let comparison):
      dependsOnRow(comparison.left, bound) || dependsOnRow(comparison.right, bound)
    }
  }

  private mutating func rowTerm(_ node: ExpressionNode) throws -> Term {
    switch node {
    case .evaluatedObject: return try path([], from: 0)
    case .keyPath(let segments): return try path(segments, from: 0)
    case .variable(let name):
      guard let scope = iterators[name] else { return try path([name], from: 0) }
      return try path([], from: scope)
    case .path(let base, let segments): return try term(base, segments)
    case .aggregate(let members):
      var terms: [Term] = []
      for member in members { terms.append(try term(member)) }
      return .list(terms)
    case .function(let name, let operands): return try function(name, operands)
    case .subquery(let collection, let name, let filter):
      return .collection(try subquery(collection, name, filter))
    case .size(let base): return try count(of: term(base))
    case .conditional(let condition, let first, let second):
      let isPartOfQuotient = isInQuotient
      isInQuotient = false
      let filter = try filter(condition)
      isInQuotient = isPartOfQuotient
      let (one, other) = (try term(first), try term(second))
      let kind = one.kind.family == .any ? other.kind : one.kind
      var wanted = kind
      wanted.isDivided = isInQuotient
      return .operand(
        .conditional(filter, try operand(one, of: wanted), try operand(other, of: wanted)), kind)
    case .cast(let inner, let type):
      if let entity = EntityCast.entity(of: type) { return try object(inner, as: entity, []) }
      return try cast(term(inner), to: type)
    case .setOperation: throw Untranslatable(reason: "a set operation")
    case .assignment: throw Untranslatable(reason: "an assignment")
    case .anyKey: throw Untranslatable(reason: "ANYKEY")
    default:
      try KeyCheck(in: self).check(node)
      throw Untranslatable(reason: "an index")
    }
  }

  // MARK: Functions

  private mutating func function(_ name: String, _ nodes: [ExpressionNode]) throws -> Term {
    if name == "castObject:toType:", nodes.count == 2, case .constant(.string(let type)) = nodes[1]
    {
      return try cast(term(nodes[0]), to: type)
    }
    // The name of an index is a hint, and the database chooses the index.
    if name == "indexed:by:", nodes.count == 2 { return try term(nodes[0]) }
    if let total = try distinctTotal(name, nodes) { return total }
    let isQuotient = name == "divide:by:"
    let isPartOfQuotient = isInQuotient
    isInQuotient = isQuotient || isPartOfQuotient
    defer { isInQuotient = isPartOfQuotient }
    var terms: [Term] = []
    for node in nodes {
      terms.append(try term(node))
      if Self.hidesType(node) {
        throw Untranslatable(reason: "a function of a conditional expression of arguments")
      }
    }
    try KeyCheck(in: self).checkFunction(name, nodes)
    if case .collection(let destinations)? = terms.first, terms.count == 1 {
      return try aggregate(name, destinations)
    }
    if Self.statistics.contains(name), terms.contains(where: { hasMembers($0) }) {
      throw Untranslatable(reason: "the function \(name) of a list")
    }
    if allowsTotals, terms.count == 1, let total = try total(name, terms[0]) { return total }
    guard ValueFunction.isPure(name), name != "objectFrom:withIndex:", name != "mode:" else {
      throw Untranslatable(reason: "the function \(name)")
    }
    let isText = ["uppercase:", "lowercase:", "canonical:", "length:"].contains(name)
    var wanted: ValueKind = name == "noindex:" ? .any : ValueKind(family: isText ? .text : .number)
    wanted.isDivided = isInQuotient
    var operands: [Operand] = []
    for term in terms {
      try refuseOpaque(term.kind)
      guard wanted.accepts(term.kind) else {
        if name == "length:", term.kind.family == .data {
          throw Untranslatable(reason: "the length of binary data")
        }
        throw unsupported(
          "The function \(name) cannot be applied to this property.", term.kind.propertyName)
      }
      operands.append(try operand(term, of: wanted))
    }
    var kind =
      name == "noindex:"
      ? terms.first?.kind ?? .any
      : ValueKind(family: isText && name != "length:" ? .text : .number)
    kind.isDecimal = terms.contains { $0.kind.isDecimal }
    if isQuotient, kind.isDecimal, let dividend = operands.first {
      // A database truncates the quotient of two integers.
      operands[0] = .function("multiply:by:", [dividend, bind(.constant(.double(1)))])
    }
    return .operand(.function(name, operands), kind)
  }

  /// The functions of many values, which may be the members of a list.
  private static let statistics: Set<String> = [
    "sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:",
  ]

  /// Returns whether a term is a list or the destinations of relationships.
  private func hasMembers(_ term: Term) -> Bool {
    if case .collection = term { true } else { isCollection(term) }
  }

  /// Returns whether an expression is a choice with arguments or strings.
  ///
  /// A function in SQL interprets such a choice differently.
  static func hidesType(_ node: ExpressionNode) -> Bool {
    guard case .conditional(_, let first, let second) = node else { return false }
    return [first, second].contains { branch in
      switch branch {
      case .argument, .variable, .constant(.string): true
      default: hidesType(branch)
      }
    }
  }

  /// Lowers an aggregate of distinct values over the rows of a group, such as
  /// `count:(@distinctUnionOfObjects.name)`.
  ///
  /// - Returns: nil for any other function.
  private mutating func distinctTotal(_ name: String, _ nodes: [ExpressionNode]) throws -> Term? {
    guard allowsTotals, nodes.count == 1, case .keyPath(let path) = nodes[0],
      path.first == "@distinctUnionOfObjects", let aggregate = Self.totals[name],
      case .operand(let operand, let kind) = try self.path(Array(path.dropFirst()), from: 0)
    else { return nil }
    return try total(aggregate, .operand(operand, kind), isDistinct: true)
  }

  private static let totals: [String: Aggregate] = [
    "count:": .count, "sum:": .sum, "average:": .average, "min:": .minimum, "max:": .maximum,
  ]

  /// Lowers an aggregate of one of the row's own properties over all rows of the group.
  private mutating func total(_ name: String, _ term: Term) throws -> Term? {
    guard let aggregate = Self.totals[name] else {
      if ["median:", "mode:", "stddev:"].contains(name) {
        throw unsupported("Stores do not support the function \(name).", term.kind.propertyName)
      }
      return nil
    }
    return try total(aggregate, term, isDistinct: false)
  }

  mutating func total(_ aggregate: Aggregate, _ term: Term, isDistinct: Bool) throws -> Term {
    let isNumeric = aggregate == .sum || aggregate == .average
    let number = ValueKind(family: .number, propertyName: term.kind.propertyName)
    // A string counts as the number at its start.
    guard !isNumeric || number.accepts(term.kind) || term.kind.family == .text else {
      throw unsupported("A sum or average requires numbers or strings.", term.kind.propertyName)
    }
    let operand = try operand(term, of: .any)
    let keepsKind = aggregate == .minimum || aggregate == .maximum
    return .operand(
      .total(aggregate, operand, isDistinct: isDistinct), keepsKind ? term.kind : number)
  }

  private func aggregate(_ name: String, _ destinations: Destinations) throws -> Term {
    let operators = ["sum:": "@sum", "average:": "@avg", "min:": "@min", "max:": "@max"]
    if name == "count:" { return try count(of: .collection(destinations)) }
    guard let name = operators[name] else {
      throw Untranslatable(reason: "the function \(name) of a relationship")
    }
    return try aggregate(operator: name, destinations)
  }

  private mutating func cast(_ inner: Term, to type: String) throws -> Term {
    try refuseOpaque(inner.kind)
    if [.uuid, .object].contains(inner.kind.family) {
      // A store has only the bytes of a UUID, and only the key of an object.
      throw Untranslatable(reason: "a cast of a UUID or an object")
    }
    let isNumber = [.number, .date].contains(inner.kind.family)
    switch type {
    case "NSNumber" where isNumber:
      return .operand(try operand(inner, of: .any), ValueKind(family: .number))
    case "NSDate" where isNumber, "Date" where isNumber:
      return .operand(try operand(inner, of: .any), ValueKind(family: .date))
    default:
      let family: ValueKind.Family =
        switch type {
        case "NSString", "String": .text
        case "NSNumber", "NSDecimalNumber", "Decimal": .number
        case "NSDate", "Date": .date
        default: .any
        }
      let operands = [try operand(inner, of: .any), bind(.constant(.string(type)))]
      var kind = ValueKind(family: family)
      kind.isDecimal = type == "NSDecimalNumber" || type == "Decimal"
      return .operand(.function("castObject:toType:", operands), kind)
    }
  }
}
