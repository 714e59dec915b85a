internal import OpenPredicates
internal import OpenStoreContract

// Comparisons in which neither side has the type of a column, and values that IN does not accept.

extension PredicateLowering {
  /// Lowers a comparison of two terms whose kinds can be compared.
  mutating func pair(
    _ left: Term, _ operation: ComparisonOperator, _ right: Term, _ options: StringOptions
  ) throws -> Filter {
    if let one = source(of: left), let other = source(of: right) {
      return holds(.comparison(one, operation, other, options))
    }
    try refuseUntypedChoice(left, beside: right)
    try refuseUntypedChoice(right, beside: left)
    return .comparison(
      try operand(left, beside: right), operation, try operand(right, beside: left), options)
  }

  /// Lowers a test whether a value that is equal for all rows lies between two limits.
  ///
  /// The limits may have different types.
  mutating func between(
    _ left: Term, _ value: BindingSource, _ bounds: ExpressionNode, _ options: StringOptions
  ) throws -> Filter {
    let limits: [Term]
    switch try term(bounds) {
    case .list(let members) where members.count == 2: limits = members
    case .constant(.list(let members)) where members.count == 2:
      limits = members.map { .constant($0) }
    case .argument(let index):
      let (lower, upper) = (
        BindingSource.member(firstArgument + index, 0, .any),
        BindingSource.member(firstArgument + index, 1, .any)
      )
      return .and([
        holds(.comparison(value, .greaterThanOrEqual, lower, options)),
        holds(.comparison(value, .lessThanOrEqual, upper, options)),
      ])
    case let other:
      try refuseOpaque(other.kind)
      throw unsupported("BETWEEN needs a list of two values.")
    }
    for limit in limits { try refuseOpaque(limit.kind) }
    return .and([
      try pair(left, .greaterThanOrEqual, limits[0], options),
      try pair(left, .lessThanOrEqual, limits[1], options),
    ])
  }

  /// Returns the source of a term whose value is equal for all rows; nil for any other term.
  ///
  /// Comparisons of such terms are evaluated once for each request. A database would compare a
  /// number with a string by their types, because neither side has the type of a column.
  func source(of term: Term) -> BindingSource? {
    switch term {
    case .constant(let value): .constant(value)
    case .argument(let index): .argument(firstArgument + index, .any)
    case .expression(let node): expression(node, .any)
    case .operand, .list, .collection, .entity, .entityNamed: nil
    }
  }

  /// Returns a filter that tests whether a condition on constants is true.
  mutating func holds(_ condition: BindingSource) -> Filter {
    .comparison(bind(condition), .equal, bind(.constant(.int(1))), [])
  }

  /// Throws an error for `IN` if the right side is a numeric or date property, or is a single
  /// constant while the left side is a number or date.
  func refuseNumber(_ collection: Term, asCollectionOf member: Term) throws {
    func isNumber(_ kind: ValueKind) -> Bool { kind.family == .number || kind.family == .date }
    switch collection {
    case .operand(_, let kind) where isNumber(kind):
      throw unsupported("The right side of IN must be a collection.", kind.propertyName)
    case .constant, .argument:
      guard isNumber(member.kind), !isNil(collection) else { return }
      throw unsupported("The right side of IN must be a collection.", member.kind.propertyName)
    default: return
    }
  }

  // MARK: Choices

  static let untypedChoice = Untranslatable(
    reason: "a comparison with a conditional expression of constants")

  /// Returns whether a term is a choice of values whose type no property determines.
  func isChoice(_ term: Term) -> Bool {
    if case .operand(.conditional, let kind) = term { kind.family == .any } else { false }
  }

  /// Throws for a comparison of a choice of constants with a value that has no column type.
  ///
  /// From such a comparison, a database cannot determine the type to which it must convert the
  /// values. A choice of numbers can be compared with a number.
  private func refuseUntypedChoice(_ term: Term, beside other: Term) throws {
    guard isChoice(term), case .operand(let operand, _) = term else { return }
    switch other {
    case .operand(.property, _): return
    case .operand(_, let kind) where kind.family == .number && isNumber(operand): return
    case .constant(let value) where value.isPlainNumber && isNumber(operand): return
    default: throw Self.untypedChoice
    }
  }

  /// Throws for a `BETWEEN` comparison of a choice of constants with limits that have no column
  /// type.
  func refuseUntypedChoice(_ term: Term, between bounds: ExpressionNode) throws {
    guard isChoice(term) else { return }
    // A copy lowers the limits, so that the limits are not bound twice.
    var copy = self
    switch try copy.term(bounds) {
    case .list(let limits): for limit in limits { try refuseUntypedChoice(term, beside: limit) }
    case .constant(.list(let limits)):
      for limit in limits { try refuseUntypedChoice(term, beside: .constant(limit)) }
    default: throw Self.untypedChoice
    }
  }

  /// Returns whether an operand is a literal number or a choice of literal numbers.
  private func isNumber(_ operand: Operand) -> Bool {
    switch operand {
    case .binding(let place):
      if case .constant(let value) = sources[place] { value.isPlainNumber } else { false }
    case .conditional(_, let first, let second): isNumber(first) && isNumber(second)
    default: false
    }
  }
}

extension Value {
  fileprivate var isPlainNumber: Bool {
    switch self {
    case .int, .double, .bool, .null: true
    default: false
    }
  }
}
