internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

extension PredicateLowering {
  mutating func filter(_ comparison: ComparisonNode) throws -> Filter {
    if comparison.operation == .customSelector {
      throw Untranslatable(reason: "a custom selector")
    }
    let left =
      try comparison.operation == .contains
      ? collection(comparison.left) : term(comparison.left)
    if comparison.modifier != .direct { return try quantified(comparison, left) }
    switch comparison.operation {
    case .in:
      if case .entity(let object) = left { return try kindTest(object, of: comparison.right) }
      return try membership(
        comparison.left, of: collection(comparison.right), comparison.options)
    case .contains:
      switch left {
      case .collection, .list, .constant(.list):
        return try membership(comparison.right, of: left, comparison.options)
      case .argument(let index) where isList(index):
        return try membership(comparison.right, of: left, comparison.options)
      case .expression(let node) where node.yieldsList:
        return try membership(comparison.right, of: left, comparison.options)
      default: return try direct(comparison, left)
      }
    case .between:
      try refuseHiddenType(comparison.left, left)
      if case .aggregate(let bounds) = comparison.right {
        for bound in bounds { try refuseHiddenType(bound, left) }
      }
      return try between(left, comparison.right, comparison.options)
    default: return try direct(comparison, left)
    }
  }

  /// Lowers a comparison of two values.
  private mutating func direct(_ comparison: ComparisonNode, _ left: Term) throws -> Filter {
    let right = try term(comparison.right)
    for side in [left, right] {
      guard case .collection(let destinations) = side else { continue }
      throw unsupported(
        "A to-many key is not allowed here. Use ANY, ALL, NONE, @count or SUBQUERY.",
        destinations.name)
    }
    if isCollection(left), isCollection(right) {
      throw Untranslatable(reason: "a comparison of collections")
    }
    if let test = try entityTest(left, comparison.operation, right) { return test }
    if comparison.operation == .containsWords, let search = try search(left, right) {
      return search
    }
    try checkPattern(comparison, right)
    try checkKinds(left, right)
    if comparison.operation.isOrder {
      try refuseHiddenType(comparison.left, left)
      try refuseHiddenType(comparison.right, right)
    }
    switch comparison.operation {
    case .equal where isNil(right): return .isNull(try operand(left, beside: right))
    case .equal where isNil(left): return .isNull(try operand(right, beside: left))
    case .notEqual where isNil(right): return .not(.isNull(try operand(left, beside: right)))
    case .notEqual where isNil(left): return .not(.isNull(try operand(right, beside: left)))
    default:
      return try pair(left, comparison.operation, right, comparison.options)
    }
  }

  /// Throws for a comparison of properties whose types cannot be compared with each other.
  private func checkKinds(_ left: Term, _ right: Term) throws {
    let (one, other) = (left.kind, right.kind)
    try refuseOpaque(one)
    try refuseOpaque(other)
    if one.accepts(other) || other.accepts(one) { return }
    throw unsupported(
      "The predicate compares two properties whose types cannot be compared.",
      one.propertyName.isEmpty ? other.propertyName : one.propertyName)
  }

  /// Throws for an order comparison with a conditional expression whose type depends on the
  /// arguments.
  ///
  /// In SQL, every string is greater than every number.
  func refuseHiddenType(_ node: ExpressionNode, _ term: Term) throws {
    guard term.kind.family == .any, Self.hidesType(node) else { return }
    throw Untranslatable(reason: "an order comparison with a conditional expression of arguments")
  }

  private func entityTest(
    _ left: Term, _ operation: ComparisonOperator, _ right: Term
  ) throws -> Filter? {
    let (path, name): (PropertyPath, String)
    switch (left, right) {
    case (.entity(let object), .entityNamed(let wanted)),
      (.entityNamed(let wanted), .entity(let object)):
      (path, name) = (object, wanted)
    case (.entity, _), (_, .entity), (.entityNamed, _), (_, .entityNamed):
      throw unsupported(
        "An object's entity can be compared only with an entity description.", "entity")
    default: return nil
    }
    let test = Filter.isKind(path, entities: model.entity(named: name).map { [$0.index] } ?? [])
    switch operation {
    case .equal: return test
    case .notEqual: return .not(test)
    default: throw unsupported("Entities can be compared only with == and !=.", "entity")
    }
  }

  /// Lowers a test whether an object belongs to a named entity or to one of its subentities.
  private func kindTest(_ object: PropertyPath, of right: ExpressionNode) throws -> Filter {
    guard case .constant(.string(let name)) = right else {
      throw unsupported(
        "An object's entity can be compared only with an entity description.", "entity")
    }
    return .isKind(object, entities: try subtree(of: name))
  }

  /// Returns the positions of an entity and its subentities.
  func subtree(of name: String) throws -> [Int] {
    guard let entity = model.entity(named: name) else {
      throw unsupported("The model has no entity \(name).", "entity")
    }
    return Array(entity.subtree)
  }

  // MARK: Quantifiers

  /// Lowers a comparison that some or all elements of the left side must satisfy.
  private mutating func quantified(_ comparison: ComparisonNode, _ left: Term) throws -> Filter {
    var inner = comparison
    inner.modifier = .direct
    switch left {
    case .collection(let destinations):
      return try inside(destinations) { (lowering) throws in
        let element = Term.operand(.property(destinations.element), destinations.kind)
        let condition = try lowering.filter(inner, element: element)
        return comparison.modifier == .any
          ? destinations.exists(condition)
          : .not(destinations.exists(.not(.isTrue(condition))))
      }
    case .list(let members):
      var filters: [Filter] = []
      for member in members { filters.append(try filter(inner, element: member)) }
      guard comparison.modifier == .any else { return Self.and(filters.map { .isTrue($0) }) }
      return isNegated ? .isTrue(.or(filters)) : .or(filters)
    case .operand where comparison.modifier == .any:
      let condition = try filter(inner)
      // Nil is not an element, so no element equals nil.
      if case .isNull = condition { return .constant(false) }
      return isNegated ? .isTrue(condition) : condition
    default:
      try refuseOpaque(left.kind)
      throw Untranslatable(reason: "ANY or ALL over a constant collection")
    }
  }

  /// Lowers a direct comparison whose left side was already lowered.
  private mutating func filter(_ comparison: ComparisonNode, element: Term) throws -> Filter {
    switch comparison.operation {
    case .in: return try membership(element, of: collection(comparison.right), comparison.options)
    case .between: return try between(element, comparison.right, comparison.options)
    default: return try direct(comparison, element)
    }
  }

  /// Lowers a condition on the objects at the end of to-many relationships.
  mutating func inside<Result>(
    _ destinations: Destinations, _ body: (inout PredicateLowering) throws -> Result
  ) throws -> Result {
    let count = scopes.count
    for step in destinations.steps {
      scopes.append(try destination(of: step.path, from: scopes.count - 1 - step.path.level))
    }
    defer { scopes.removeSubrange(count...) }
    return try body(&self)
  }

  func destination(of path: RelationshipPath, from scope: Int) throws -> CompiledEntity {
    var reached = scopes[scope]
    for ordinal in path.steps + [path.ordinal] {
      guard let relationship = reached.properties[ordinal].relationship else {
        throw unsupported("A key path to a relationship is required here.")
      }
      reached = model.entities[relationship.destinationIndex]
    }
    return reached
  }

  // MARK: IN and BETWEEN

  private mutating func membership(
    _ member: ExpressionNode, of collection: Term, _ options: StringOptions
  ) throws -> Filter {
    guard case .collection(let destinations) = collection else {
      return try membership(term(member), of: collection, options)
    }
    return try inside(destinations) { (lowering) throws in
      // The member is lowered again, in the scope inside the relationships.
      let element = Term.operand(.property(destinations.element), destinations.kind)
      let other = try lowering.term(member)
      try lowering.checkKinds(element, other)
      return destinations.exists(
        .comparison(
          try lowering.operand(element, beside: other), .equal,
          try lowering.operand(other, beside: element), options))
    }
  }

  private mutating func membership(
    _ member: Term, of collection: Term, _ options: StringOptions
  ) throws -> Filter {
    if isCollection(member) { throw Untranslatable(reason: "a comparison of collections") }
    var kind = member.kind
    switch collection {
    case .list(let members): return try membership(member, ofElements: members, options)
    case .argument(let index) where isList(index):
      kind.isList = true
      return try isMember(member, .argument(firstArgument + index, kind), options)
    case .constant(.list(let members)):
      kind.isList = true
      return try isMember(member, .constant(try kind.checked(.list(members))), options)
    case .expression(let node):
      kind.isList = true
      return try isMember(member, expression(node, kind), options)
    case .collection(let destinations):
      throw unsupported("A to-many key is not allowed here.", destinations.name)
    case .constant, .argument, .operand, .entity, .entityNamed:
      try refuseNumber(collection, asCollectionOf: member)
      return try pair(member, .in, collection, options)
    }
  }

  /// Lowers a membership test for a list of expressions; nulls in the list match nothing.
  private mutating func membership(
    _ member: Term, ofElements elements: [Term], _ options: StringOptions
  ) throws -> Filter {
    var filters: [Filter] = []
    for element in elements where !isNil(element) {
      try checkKinds(member, element)
      filters.append(try pair(member, .equal, element, options))
    }
    // Not a constant false: whether a list contains a null is unknown, even if the list is empty.
    if filters.isEmpty { return try isMember(member, .constant(.list([])), options) }
    return .or(filters)
  }

  private mutating func isMember(
    _ member: Term, _ list: BindingSource, _ options: StringOptions
  ) throws -> Filter {
    if let member = source(of: member) { return holds(.membership(member, list, options)) }
    if isChoice(member) { throw Self.untypedChoice }
    let position = position(of: list)
    return .isMember(try operand(member, beside: member), list: position, options)
  }

  private mutating func between(
    _ left: Term, _ bounds: ExpressionNode, _ options: StringOptions
  ) throws -> Filter {
    if let value = source(of: left) { return try between(left, value, bounds, options) }
    try refuseUntypedChoice(left, between: bounds)
    let value = try operand(left, beside: left)
    let (lower, upper) = try limits(bounds, beside: left)
    // The shape does not include the types of arguments, so an argument may be a string.
    let mayBeText = left.kind.family == .text || left.kind.family == .any
    guard mayBeText, !options.isEmpty, !options.contains(.normalized) else {
      return .isBetween(value, lower, upper)
    }
    return .and([
      .comparison(value, .greaterThanOrEqual, lower, options),
      .comparison(value, .lessThanOrEqual, upper, options),
    ])
  }

  private mutating func limits(
    _ bounds: ExpressionNode, beside left: Term
  ) throws -> (Operand, Operand) {
    let kind = left.kind
    switch try term(bounds) {
    case .list(let limits) where limits.count == 2:
      for limit in limits { try checkKinds(left, limit) }
      return (try operand(limits[0], beside: left), try operand(limits[1], beside: left))
    case .constant(.list(let limits)) where limits.count == 2:
      return (
        bind(.constant(try kind.checked(limits[0]))), bind(.constant(try kind.checked(limits[1])))
      )
    case .argument(let index):
      // The two limits are bound by position within the argument, so that the shape stays the same.
      let place = firstArgument + index
      return (bind(.member(place, 0, kind)), bind(.member(place, 1, kind)))
    case let other:
      try refuseOpaque(other.kind)
      throw unsupported("BETWEEN needs a list of two values.")
    }
  }

  // MARK: Constants

  /// Returns whether a term is a list of constants or of values of the row.
  func isCollection(_ term: Term) -> Bool {
    switch term {
    case .list, .constant(.list): true
    case .argument(let index): isList(index)
    case .expression(let node): node.yieldsList
    default: false
    }
  }

  private func isList(_ index: Int) -> Bool {
    guard index < arguments.count else { return false }
    if case .list? = Value(any: arguments[index]) { return true }
    return Value(valuesOf: arguments[index]) != nil
  }

  func isNil(_ term: Term) -> Bool {
    switch term {
    case .constant(let value): value == .null
    case .argument(let index):
      index < arguments.count && Value(any: arguments[index]) == .some(.null)
    default: false
    }
  }

  /// Returns a term as an operand; a constant receives the kind of the term that it is compared
  /// with.
  mutating func operand(_ term: Term, beside other: Term) throws -> Operand {
    try operand(term, of: other.kind)
  }

  mutating func operand(_ term: Term, of kind: ValueKind) throws -> Operand {
    try refuseOpaque(kind)
    switch term {
    case .operand(let operand, _): return operand
    case .constant(let value): return bind(.constant(try kind.checked(value)))
    case .argument(let index): return bind(.argument(firstArgument + index, kind))
    case .expression(let node): return bind(expression(node, kind))
    case .list where kind.family == .any: throw ValueKind.collectionForValue
    case .collection(let destinations):
      throw unsupported(
        "A to-many key is used where a single value is required. Use SUBQUERY.", destinations.name)
    case .list, .entity, .entityNamed:
      throw unsupported("A collection or an entity is used where a single value is required.")
    }
  }

  /// Throws for a transformable attribute, so that the condition is evaluated in memory.
  ///
  /// No store can interpret the bytes of the attribute.
  func refuseOpaque(_ kind: ValueKind) throws {
    guard kind.family == .opaque else { return }
    throw Untranslatable(reason: "the transformable attribute \(kind.propertyName)")
  }

  func expression(_ node: ExpressionNode, _ kind: ValueKind) -> BindingSource {
    .expression(
      node, first: firstArgument, count: arguments.count,
      variables: variables.compactMapValues { Value(any: $0) }, kind)
  }

  /// Throws for an invalid constant regular expression, before a store tests it on every row.
  private func checkPattern(_ comparison: ComparisonNode, _ right: Term) throws {
    guard comparison.operation == .matches, case .constant(.string(let pattern)) = right else {
      return
    }
    do throws(PredicateFormatError) {
      try StringMatch.prepare(pattern: pattern)
    } catch {
      throw unsupported("The regular expression of MATCHES is invalid.")
    }
  }
}

extension ExpressionNode {
  /// Whether the result of an expression without keys is a collection, regardless of its operands.
  fileprivate var yieldsList: Bool {
    switch self {
    case .function(let name, _): name == "mode:"
    case .setOperation, .subquery, .aggregate: true
    default: false
    }
  }
}

extension ComparisonOperator {
  /// Whether the operator tests which of two values is greater.
  fileprivate var isOrder: Bool {
    switch self {
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: true
    default: false
    }
  }
}
