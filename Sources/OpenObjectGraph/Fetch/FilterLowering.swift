internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Turns predicate trees into a filter: names become positions, constants become bindings.
struct FilterLowering {
  private let entity: CompiledEntity
  private(set) var sources: [BindingSource] = []
  /// Position of the current template's first argument among all arguments.
  private var firstArgument = 0
  /// Arguments of the current template that are nil.
  private var arguments: [Any?] = []
  private var variables: [String: Any] = [:]

  init(entity: CompiledEntity) { self.entity = entity }

  /// The filter of a predicate on objects of the entity.
  mutating func filter(_ form: PredicateForm) throws -> Filter {
    switch form {
    case .template(let template, let arguments, let variables):
      self.arguments = arguments
      self.variables = variables
      defer { firstArgument += arguments.count }
      return try filter(template.root, on: entity)
    case .compound(let type, let parts):
      var filters: [Filter] = []
      for part in parts { filters.append(try filter(part)) }
      switch type {
      case .and: return Self.and(filters)
      case .or: return filters.isEmpty ? .constant(false) : .or(filters)
      case .not: return .not(filters.first ?? .constant(true))
      @unknown default: return .constant(false)
      }
    case .constant(let value): return .constant(value)
    case .block: return .constant(false)
    case .invalid(let error): throw error
    }
  }

  private static func and(_ filters: [Filter]) -> Filter {
    filters.isEmpty ? .constant(true) : filters.count == 1 ? filters[0] : .and(filters)
  }

  private mutating func filter(_ node: PredicateNode, on entity: CompiledEntity) throws -> Filter {
    switch node {
    case .constant(let value): return .constant(value)
    case .not(let part): return .not(try filter(part, on: entity))
    case .and(let parts):
      var filters: [Filter] = []
      for part in parts { filters.append(try filter(part, on: entity)) }
      return Self.and(filters)
    case .or(let parts):
      var filters: [Filter] = []
      for part in parts { filters.append(try filter(part, on: entity)) }
      return .or(filters)
    case .comparison(let comparison): return try filter(comparison, on: entity)
    }
  }

  private mutating func filter(
    _ comparison: ComparisonNode, on entity: CompiledEntity
  ) throws -> Filter {
    if let quantified = try quantified(comparison, on: entity) { return quantified }
    if comparison.operation == .customSelector {
      throw unsupported("A custom selector cannot be carried out by a store.")
    }
    let left = try side(comparison.left, on: entity)
    let right = try side(comparison.right, on: entity)
    switch comparison.operation {
    case .in: return try membership(left, right, comparison.options)
    case .contains where !left.isText && right.isText == false && left.isListLike:
      return try membership(right, left, comparison.options)
    case .between: return try between(left, comparison.right, on: entity)
    case .equal where isNil(right): return .isNull(try operand(left, beside: right))
    case .equal where isNil(left): return .isNull(try operand(right, beside: left))
    case .notEqual where isNil(right): return .not(.isNull(try operand(left, beside: right)))
    case .notEqual where isNil(left): return .not(.isNull(try operand(right, beside: left)))
    default:
      return .comparison(
        try operand(left, beside: right), comparison.operation,
        try operand(right, beside: left), comparison.options)
    }
  }

  // MARK: Quantifiers

  /// A comparison over a to-many path, as an existence test; nil for other comparisons.
  private mutating func quantified(
    _ comparison: ComparisonNode, on entity: CompiledEntity
  ) throws -> Filter? {
    guard comparison.modifier != .direct || comparison.operation == .contains else {
      if case .keyPath(let segments) = comparison.left, !isAggregatePath(segments),
        case .toMany = try PathResolver(entity: entity).resolve(segments)
      {
        throw StoreError(
          .unsupportedPredicate,
          "A to-many key is not allowed here. Use ANY, ALL, NONE, @count or SUBQUERY.",
          entityName: entity.name, propertyName: segments.joined(separator: "."))
      }
      return nil
    }
    guard case .keyPath(let segments) = comparison.left,
      case .toMany(let path, let destination, let rest) = try PathResolver(entity: entity)
        .resolve(segments)
    else { return nil }
    var inner = comparison
    inner.modifier = .direct
    inner.left = rest.isEmpty ? .evaluatedObject : .keyPath(rest)
    if comparison.modifier == .direct { inner.operation = .equal }
    if comparison.modifier == .all {
      return .not(.exists(path, .not(try filter(inner, on: destination))))
    }
    return .exists(path, try filter(inner, on: destination))
  }

  private func isAggregatePath(_ segments: [String]) -> Bool {
    segments.contains { $0.hasPrefix("@") }
  }

  // MARK: Sides of a comparison

  /// One side of a comparison before it is known what stands on the other.
  private indirect enum Side {
    case operand(Operand, ValueKind)
    case constant(Value)
    case now
    case argument(Int)
    case list([Side])
    /// A to-many relationship, as the right side of IN.
    case toMany(RelationshipPath)

    var isText: Bool {
      if case .operand(_, let kind) = self { return kind.family == .text }
      if case .constant(.string) = self { return true }
      return false
    }
    var isListLike: Bool {
      switch self {
      case .list: true
      case .constant(.list): true
      default: false
      }
    }
  }

  private func side(_ node: ExpressionNode, on entity: CompiledEntity) throws -> Side {
    switch node {
    case .constant(let value): return .constant(value)
    case .argument(let index): return .argument(index)
    case .evaluatedObject:
      return .operand(
        .property(PropertyPath(entityIndex: entity.index, end: .object)),
        ValueKind(family: .object, entityName: entity.name, propertyName: "SELF"))
    case .keyPath(let segments): return try side(of: segments, on: entity)
    case .aggregate(let members): return .list(try members.map { try side($0, on: entity) })
    case .variable(let name):
      guard let value = variables[name] else {
        throw unsupported("The variable $\(name) has no value.")
      }
      return .constant(Value(any: value) ?? .null)
    case .function("now", _):
      return .now
    default:
      throw unsupported("An expression of the predicate cannot be carried out by a store yet.")
    }
  }

  private func side(of segments: [String], on entity: CompiledEntity) throws -> Side {
    let resolver = PathResolver(entity: entity)
    if let position = segments.firstIndex(where: { $0.hasPrefix("@") }) {
      return try aggregate(segments, at: position, resolver)
    }
    switch try resolver.resolve(segments) {
    case .property(let path, let property):
      guard let property else {
        return .operand(.property(path), ValueKind(family: .object, entityName: entity.name))
      }
      return .operand(.property(path), try ValueKind(property, in: entity))
    case .toMany(let path, _, let rest):
      guard rest.isEmpty else {
        throw StoreError(
          .unsupportedPredicate, "A to-many key is not allowed here.", entityName: entity.name,
          propertyName: segments.joined(separator: "."))
      }
      return .toMany(path)
    }
  }

  /// `pages.@count`, `pages.@sum.length` and the trailing form `pages.length.@sum`.
  private func aggregate(
    _ segments: [String], at position: Int, _ resolver: PathResolver
  ) throws -> Side {
    let name = segments[position]
    var path = segments
    path.remove(at: position)
    guard case .toMany(let relationship, let destination, let rest) = try resolver.resolve(path)
    else {
      throw unsupported("\(name) needs a to-many relationship.")
    }
    let number = ValueKind(family: .number, propertyName: segments.joined(separator: "."))
    if name == "@count" { return .operand(.count(relationship), number) }
    let aggregates: [String: Aggregate] = [
      "@sum": .sum, "@avg": .average, "@min": .minimum, "@max": .maximum,
    ]
    guard let aggregate = aggregates[name] else {
      throw unsupported("The collection operator \(name) cannot be carried out by a store.")
    }
    let attribute = try PathResolver(entity: destination).propertyPath(rest)
    return .operand(.aggregate(aggregate, relationship, attribute), .any)
  }

  private func isNil(_ side: Side) -> Bool {
    switch side {
    case .constant(let value): value == .null
    case .argument(let index):
      index < arguments.count && Value(any: arguments[index]) == .some(.null)
    default: false
    }
  }

  private mutating func operand(_ side: Side, beside other: Side) throws -> Operand {
    var kind = ValueKind.any
    if case .operand(_, let known) = other { kind = known }
    switch side {
    case .operand(let operand, _): return operand
    case .constant(let value): return bind(.constant(try kind.checked(value)))
    case .now: return bind(.now)
    case .argument(let index): return bind(.argument(firstArgument + index, kind))
    case .list, .toMany:
      throw unsupported("A collection stands where one value is needed.")
    }
  }

  private mutating func bind(_ source: BindingSource) -> Operand {
    sources.append(source)
    return .binding(sources.count - 1)
  }

  // MARK: IN and BETWEEN

  private mutating func membership(
    _ member: Side, _ collection: Side, _ options: StringOptions
  ) throws -> Filter {
    var kind = ValueKind.any
    if case .operand(_, let known) = member { kind = known }
    switch collection {
    case .toMany(let path):
      let destination = try destination(of: path)
      let object = Operand.property(PropertyPath(entityIndex: destination.index, end: .object))
      return .exists(path, .comparison(object, .equal, try operand(member, beside: collection), []))
    case .list(let members):
      sources.append(.list(try members.map { try listMember($0, kind) }))
    case .argument(let index):
      if case .string? = index < arguments.count ? Value(any: arguments[index]) : nil {
        return .comparison(
          try operand(member, beside: collection), .in,
          try operand(collection, beside: member), options)
      }
      kind.isList = true
      sources.append(.argument(firstArgument + index, kind))
    case .constant(let value):
      guard case .list = value else {
        return .comparison(
          try operand(member, beside: collection), .in,
          try operand(collection, beside: member), options)
      }
      kind.isList = true
      sources.append(.constant(try kind.checked(value)))
    case .operand, .now:
      return .comparison(
        try operand(member, beside: collection), .in, try operand(collection, beside: member),
        options)
    }
    let list = sources.count - 1
    return .isMember(try operand(member, beside: member), list: list, options)
  }

  private func listMember(_ side: Side, _ kind: ValueKind) throws -> BindingSource {
    switch side {
    case .constant(let value): return .constant(try kind.checked(value))
    case .argument(let index): return .argument(firstArgument + index, kind)
    default: throw unsupported("The members of a list must be constants.")
    }
  }

  private func destination(of path: RelationshipPath) throws -> CompiledEntity {
    let steps = PropertyPath(entityIndex: path.entityIndex, steps: path.steps, end: .object)
    let owner = steps.reachedEntity(in: entity.model)
    guard let relationship = owner.properties[path.ordinal].relationship else {
      throw unsupported("A relationship is needed here.")
    }
    return entity.model.entities[relationship.destinationIndex]
  }

  private mutating func between(
    _ left: Side, _ bounds: ExpressionNode, on entity: CompiledEntity
  ) throws -> Filter {
    var sides: [Side] = []
    switch bounds {
    case .aggregate(let members):
      for member in members { sides.append(try side(member, on: entity)) }
    case .argument(let index):
      guard index < arguments.count, case .list(let values)? = Value(any: arguments[index]) else {
        throw unsupported("BETWEEN needs a list of two values.")
      }
      guard values.count == 2 else { throw unsupported("BETWEEN needs a list of two values.") }
      // The two members are bound by position within the argument, so that the shape stays the same.
      let value = try operand(left, beside: left)
      return .isBetween(
        value, bind(.member(firstArgument + index, 0)), bind(.member(firstArgument + index, 1)))
    default: break
    }
    guard sides.count == 2 else { throw unsupported("BETWEEN needs a list of two values.") }
    return .isBetween(
      try operand(left, beside: sides[0]), try operand(sides[0], beside: left),
      try operand(sides[1], beside: left))
  }

  private func unsupported(_ message: String) -> StoreError {
    StoreError(.unsupportedPredicate, message, entityName: entity.name)
  }
}
