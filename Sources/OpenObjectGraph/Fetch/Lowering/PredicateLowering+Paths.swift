internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

extension PredicateLowering {
  /// Lowers a key path that starts at the row of a scope.
  mutating func path(_ segments: [String], from scope: Int) throws -> Term {
    if scope == 0, segments.count == 1, let column = columns[segments[0]] {
      return .operand(.column(column.position), column.kind)
    }
    if let position = segments.firstIndex(where: { $0.hasPrefix("@") }) {
      return try operatorPath(segments, at: position, from: scope)
    }
    let start = scopes[scope]
    let level = scopes.count - 1 - scope
    if segments.last == "entity", let object = try objectPath(segments.dropLast(), start) {
      var path = object
      path.level = level
      return .entity(path)
    }
    switch try PathResolver(entity: start).reached(segments, level: level) {
    case .term(let term): return term
    case .toMany(let path, let destination, let rest):
      return .collection(
        try destinations(
          [Destinations.Step(path: path)], destination, rest,
          name: segments.joined(separator: ".")))
    }
  }

  /// Returns the path to an object whose entity is read.
  ///
  /// The result is nil if the object has a property named `entity`, unless the path to the object
  /// ends with `self`.
  private func objectPath(
    _ segments: ArraySlice<String>, _ start: CompiledEntity
  ) throws -> PropertyPath? {
    let segments = Array(segments)
    guard case .property(let path, let property) = try PathResolver(entity: start).resolve(segments)
    else { return nil }
    let reached: CompiledEntity
    var object = path
    if let relationship = property?.relationship {
      object.steps.append(property?.ordinal ?? 0)
      object.end = .object
      reached = model.entities[relationship.destinationIndex]
    } else {
      guard property == nil else { return nil }
      reached = path.reachedEntity(in: model)
    }
    return segments.last == "self" || reached.ordinal(of: "entity") == nil ? object : nil
  }

  /// Follows the rest of a path from the destinations of a to-many relationship.
  private func destinations(
    _ steps: [Destinations.Step], _ destination: CompiledEntity, _ rest: [String], name: String
  ) throws -> Destinations {
    switch try PathResolver(entity: destination).resolve(rest) {
    case .property(let element, let property):
      let kind = try property.map { try ValueKind($0, in: destination) }
      return Destinations(
        steps: steps, destination: destination, element: element,
        kind: kind ?? ValueKind(objectsOf: element.reachedEntity(in: model)), name: name)
    case .toMany(let path, let next, let rest):
      return try destinations(
        steps + [Destinations.Step(path: path)], next, rest, name: name)
    }
  }

  /// Lowers a path that starts at the result of an expression.
  mutating func term(_ base: ExpressionNode, _ segments: [String]) throws -> Term {
    switch base {
    case .evaluatedObject: return try path(segments, from: 0)
    case .keyPath(let first): return try path(first + segments, from: 0)
    case .variable(let name): return try path(segments, from: iterators[name] ?? 0)
    case .path(let inner, let first): return try term(inner, first + segments)
    case .subquery(let collection, let name, let filter):
      let selected = try subquery(collection, name, filter)
      let rest = segments.filter { !$0.hasPrefix("@") }
      var reached = try destinations(
        selected.steps, selected.destination, rest, name: selected.name)
      guard segments.count != rest.count else { return .collection(reached) }
      guard segments.count == rest.count + 1,
        let name = segments.first(where: { $0.hasPrefix("@") })
      else { throw Untranslatable(reason: "several collection operators in one key path") }
      return try apply(name, to: &reached)
    case .cast(let inner, let type):
      guard let entity = EntityCast.entity(of: type) else { fallthrough }
      return try object(inner, as: entity, segments)
    default:
      try KeyCheck(in: self).check(segments, from: base)
      throw Untranslatable(reason: "a key path that starts at the result of an expression")
    }
  }

  // MARK: Collection operators

  private static let collectionOperators: Set<String> = [
    "@count", "@sum", "@avg", "@min", "@max", "@unionOfObjects", "@distinctUnionOfObjects",
    "@unionOfArrays", "@distinctUnionOfArrays", "@unionOfSets", "@distinctUnionOfSets",
  ]

  /// Lowers `pages.@count`, `pages.@sum.length` and the trailing form `pages.length.@sum`.
  private mutating func operatorPath(
    _ segments: [String], at position: Int, from scope: Int
  ) throws -> Term {
    var rest = segments
    let name = rest.remove(at: position)
    guard Self.collectionOperators.contains(name) else {
      throw unsupported("\(name) is not a collection operator.", segments.joined(separator: "."))
    }
    if allowsTotals, let total = try totalPath(name, rest, from: scope) { return total }
    if name.hasPrefix("@distinctUnion"), rest.last == "@count" {
      throw Untranslatable(reason: "a count of distinct values")
    }
    guard !rest.contains(where: { $0.hasPrefix("@") }) else {
      throw Untranslatable(reason: "several collection operators in one key path")
    }
    let whole = try path(rest, from: scope)
    guard case .collection(var destinations) = whole else {
      try refuseOpaque(whole.kind)
      throw unsupported(
        "\(name) requires a to-many relationship.", segments.joined(separator: "."))
    }
    return try apply(name, to: &destinations)
  }

  /// Lowers an aggregate over the rows of a group, such as `@count` or `@sum.amount`.
  ///
  /// - Returns: nil for an aggregate over a relationship.
  private mutating func totalPath(
    _ name: String, _ rest: [String], from scope: Int
  ) throws -> Term? {
    if name == "@count", rest.isEmpty { return .operand(.rowCount, ValueKind(family: .number)) }
    let aggregates: [String: Aggregate] = [
      "@count": .count, "@sum": .sum, "@avg": .average, "@min": .minimum, "@max": .maximum,
    ]
    let union = "@distinctUnionOfObjects"
    let isDistinct = name == union || rest.first == union
    guard let aggregate = aggregates[name == union ? rest.last ?? "" : name] else { return nil }
    let steps = name == union ? rest.dropLast() : isDistinct ? rest.dropFirst() : rest[...]
    let term = try path(Array(steps), from: scope)
    guard case .operand = term else { return nil }
    return try total(aggregate, term, isDistinct: isDistinct)
  }

  private func apply(_ name: String, to destinations: inout Destinations) throws -> Term {
    switch name {
    case "@count": return try count(of: .collection(destinations))
    case "@unionOfObjects": return .collection(destinations)
    case "@distinctUnionOfObjects":
      destinations.isDistinct = true
      return .collection(destinations)
    default: return try aggregate(operator: name, destinations)
    }
  }

  func aggregate(operator name: String, _ destinations: Destinations) throws -> Term {
    let aggregates: [String: Aggregate] = [
      "@sum": .sum, "@avg": .average, "@min": .minimum, "@max": .maximum,
    ]
    let gap = Untranslatable(reason: "the collection operator \(name)")
    guard let aggregate = aggregates[name], !destinations.isDistinct else { throw gap }
    let isNested = destinations.steps.count > 1
    if isNested, destinations.kind.family == .opaque { throw gap }
    if aggregate == .sum || aggregate == .average,
      !ValueKind(family: .number).accepts(destinations.kind)
    {
      throw unsupported("\(name) requires numbers.", destinations.name)
    }
    if isNested { throw gap }
    let step = destinations.steps[0]
    let kind =
      aggregate == .minimum || aggregate == .maximum
      ? destinations.kind : ValueKind(family: .number, propertyName: destinations.name)
    return .operand(
      .aggregate(
        aggregate, step.path, .property(destinations.element), where: step.filter), kind)
  }

  func count(of term: Term) throws -> Term {
    try refuseOpaque(term.kind)
    guard case .collection(let destinations) = term, destinations.steps.count == 1,
      !destinations.isDistinct
    else { throw Untranslatable(reason: "a count across several relationships") }
    let step = destinations.steps[0]
    return .operand(
      .count(step.path, where: step.filter),
      ValueKind(family: .number, propertyName: destinations.name))
  }

  // MARK: Subqueries

  mutating func subquery(
    _ collection: ExpressionNode, _ name: String, _ predicate: PredicateNode
  ) throws -> Destinations {
    let whole = try term(collection)
    guard case .collection(var selected) = whole else {
      try refuseOpaque(whole.kind)
      if case .operand(_, let kind) = whole, kind.family != .any, kind.family != .object {
        throw unsupported("SUBQUERY requires a collection.", kind.propertyName)
      }
      throw Untranslatable(reason: "a subquery of something other than a relationship")
    }
    guard case .object = selected.element.end, selected.element.steps.isEmpty else {
      throw Untranslatable(reason: "a subquery of values")
    }
    let outer = iterators[name]
    let filter = try inside(selected) { (lowering) throws in
      lowering.iterators[name] = lowering.scopes.count - 1
      defer { lowering.iterators[name] = outer }
      return try lowering.filter(predicate)
    }
    let last = selected.steps.count - 1
    selected.steps[last].filter = Self.and(
      [selected.steps[last].filter, filter].compactMap(\.self))
    return selected
  }
}
