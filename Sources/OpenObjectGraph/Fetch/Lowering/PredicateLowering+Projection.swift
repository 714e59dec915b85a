internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The columns of a dictionary request, as names and expression trees; a part of the shape.
struct ProjectionRequest: Hashable, Sendable {
  struct Column: Hashable, Sendable {
    var name: String
    var node: ExpressionNode
    /// The result type of an expression; nil for the type of the property.
    var type: AttributeType?
    /// Whether the column is an expression with its own name.
    var isExpression: Bool
  }

  var columns: [Column]
  var groups: [ExpressionNode]
  var isDistinct: Bool
  /// The paths to the objects whose entity numbers are in the columns after `columns`, which have
  /// no names.
  var entityNumbersOf: [PropertyPath]
  /// The number of last columns, which have no names and contain the values by which the results of
  /// several stores are sorted; 0 if one store sorts the results.
  var sortCount = 0

  /// The number of values in a result.
  var width: Int { columns.count + entityNumbersOf.count + sortCount }
}

extension PredicateLowering {
  /// Lowers the columns, groups and condition of a fetch of values.
  ///
  /// - Throws: `StoreError` for a column that is neither grouped nor an aggregate nor a function,
  ///   and the errors of paths.
  mutating func projection(
    _ request: ProjectionRequest, _ condition: NSPredicate?
  ) throws -> Projection {
    allowsTotals = true
    // Columns and conditions are compared with the groups.
    sharesBindings = !request.groups.isEmpty
    defer {
      allowsTotals = false
      sharesBindings = false
    }
    var columns: [Projection.Column] = []
    var named: [String: (position: Int, kind: ValueKind)] = [:]
    for (index, column) in request.columns.enumerated() {
      let (operand, kind) = try columnOperand(column.node, column.name)
      columns.append(Projection.Column(operand, type: column.type ?? type(of: operand)))
      if column.isExpression { named[column.name] = (index, kind) }
    }
    for path in request.entityNumbersOf {
      let number = Operand.entityNumber(path)
      // All rows of a group have the same object.
      columns.append(.init(request.groups.isEmpty ? number : .total(.minimum, number)))
    }
    allowsTotals = false
    var groups: [Operand] = []
    for node in request.groups { groups.append(try columnOperand(node, nil).operand) }
    // Without groups, a total makes all rows one result.
    if !groups.isEmpty || columns.contains(where: { $0.operand.hasTotal }) {
      for index in columns.indices {
        let operand = overGroup(columns[index].operand, groups)
        columns[index].operand = groups.isEmpty ? operand : leastValue(of: operand, groups)
      }
    }
    try check(columns, groups, request.columns.map(\.name))
    self.columns = named
    guard let condition else {
      return Projection(columns: columns, groups: groups, isDistinct: request.isDistinct)
    }
    guard !groups.isEmpty else {
      throw unsupported("havingPredicate requires propertiesToGroupBy.")
    }
    allowsTotals = true
    return Projection(
      columns: columns, groups: groups,
      condition: overGroup(try filter(condition.form), groups), isDistinct: request.isDistinct)
  }

  /// Returns a projection with additional columns for the values by which results are sorted.
  func projection(_ projection: Projection, addingValuesOf sort: [SortTerm]) -> Projection {
    var extended = projection
    extended.columns += sort.map { term in
      if case .column(let position) = term.operand { return projection.columns[position] }
      return Projection.Column(term.operand, type: type(of: term.operand))
    }
    return extended
  }

  private mutating func columnOperand(
    _ node: ExpressionNode, _ name: String?
  ) throws -> (operand: Operand, kind: ValueKind) {
    switch try term(node) {
    case .operand(let operand, let kind): return (operand, kind)
    case .collection(let destinations):
      throw unsupported(
        "A to-many relationship cannot be used as a value. Use its @count.", destinations.name)
    case let other: return (try operand(other, of: .any), .any)
    }
  }

  /// Returns the type of a property's values; nil if the operand determines the type.
  private func type(of operand: Operand) -> AttributeType? {
    switch operand {
    case .property(let path): path.property(in: model)?.attribute?.type
    case .total(.minimum, let inner, _), .total(.maximum, let inner, _): type(of: inner)
    case .aggregate(.minimum, _, let inner, _), .aggregate(.maximum, _, let inner, _):
      type(of: inner)
    default: nil
    }
  }

  // MARK: Relationships of groups

  /// Returns an operand with one value for a group: aggregates over a relationship apply to the
  /// destinations of all rows of the group, unless the rows are grouped by them.
  mutating func overGroup(_ operand: Operand, _ groups: [Operand]) -> Operand {
    if groups.contains(operand) { return operand }
    switch operand {
    case .count, .aggregate(.count, _, _, _): return .total(.sum, operand)
    case .aggregate(.average, let path, let element, let filter):
      let sum = Operand.total(.sum, .aggregate(.sum, path, element, where: filter))
      let count = Operand.total(.sum, .aggregate(.count, path, element, where: filter))
      // A database truncates the quotient of two integers.
      let dividend = Operand.function("multiply:by:", [sum, bind(.constant(.double(1)))])
      return .function("divide:by:", [dividend, count])
    case .aggregate(let aggregate, _, _, _): return .total(aggregate, operand)
    case .function(let name, let operands):
      var parts: [Operand] = []
      for part in operands { parts.append(overGroup(part, groups)) }
      return .function(name, parts)
    case .conditional(let filter, let first, let second):
      return .conditional(
        overGroup(filter, groups), overGroup(first, groups), overGroup(second, groups))
    case .binding, .property, .entityNumber, .total, .rowCount, .column: return operand
    }
  }

  /// Returns a condition whose operands have one value for a group.
  private mutating func overGroup(_ filter: Filter, _ groups: [Operand]) -> Filter {
    switch filter {
    case .and(let parts): return .and(overGroup(parts, groups))
    case .or(let parts): return .or(overGroup(parts, groups))
    case .not(let part): return .not(overGroup(part, groups))
    case .isTrue(let part): return .isTrue(overGroup(part, groups))
    case .comparison(let left, let operation, let right, let options):
      return .comparison(overGroup(left, groups), operation, overGroup(right, groups), options)
    case .isNull(let operand): return .isNull(overGroup(operand, groups))
    case .isMember(let operand, let list, let options):
      return .isMember(overGroup(operand, groups), list: list, options)
    case .isBetween(let operand, let lower, let upper):
      return .isBetween(
        overGroup(operand, groups), overGroup(lower, groups), overGroup(upper, groups))
    case .constant, .exists, .containsWords, .isKind: return filter
    }
  }

  private mutating func overGroup(_ filters: [Filter], _ groups: [Operand]) -> [Filter] {
    var parts: [Filter] = []
    for filter in filters { parts.append(overGroup(filter, groups)) }
    return parts
  }

  /// Returns the least value in a group for a function of properties that are not grouped; returns
  /// any other operand unchanged.
  private func leastValue(of operand: Operand, _ groups: [Operand]) -> Operand {
    guard case .function = operand, !operand.hasTotal, !operand.isTotal, !groups.contains(operand)
    else { return operand }
    return .total(.minimum, operand)
  }

  private func check(
    _ columns: [Projection.Column], _ groups: [Operand], _ names: [String]
  ) throws {
    let hasTotals = columns.contains { $0.operand.hasTotal }
    guard !groups.isEmpty || hasTotals else { return }
    for (column, name) in zip(columns, names)
    where !column.operand.isTotal && !column.operand.isConstant && !groups.contains(column.operand)
    {
      if groups.isEmpty { continue }
      throw unsupported(
        "SELECT clauses in queries with GROUP BY components can only contain properties named in the "
          + "GROUP BY or aggregate functions.", name)
    }
  }
}

extension Operand {
  /// Whether the operand has one value for a group.
  fileprivate var isTotal: Bool {
    switch self {
    case .total, .rowCount, .binding: true
    case .function(_, let operands): operands.allSatisfy { $0.isTotal }
    default: false
    }
  }

  fileprivate var isConstant: Bool {
    if case .binding = self { true } else { false }
  }
}
