internal import OpenPredicates
internal import OpenStoreContract

// Comparisons whose sides have no column's type.

extension PredicateLowering {
  /// A comparison of two terms whose kinds compare.
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

  /// Whether a value that is the same for all rows lies within limits, each of which may be of another type.
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

  /// Where the value of a term comes from that is the same for all rows; nil for others.
  ///
  /// Comparisons of such terms are worked out once for each request. A database would compare a number with a text by
  /// their types, and neither side has a column whose type it could take.
  func source(of term: Term) -> BindingSource? {
    switch term {
    case .constant(let value): .constant(value)
    case .argument(let index): .argument(firstArgument + index, .any)
    case .expression(let node): expression(node, .any)
    case .operand, .list, .collection, .entity, .entityNamed: nil
    }
  }

  /// A condition on constants that is true.
  mutating func holds(_ condition: BindingSource) -> Filter {
    .comparison(bind(condition), .equal, bind(.constant(.int(1))), [])
  }

  // MARK: Choices

  static let untypedChoice = Untranslatable(reason: "a comparison with a choice of arguments")

  /// Whether a term is a choice of values whose type no property decides.
  func isChoice(_ term: Term) -> Bool {
    if case .operand(.conditional, let kind) = term { kind.family == .any } else { false }
  }

  /// Throws for comparing a choice of constants with a value without a column's type, except a choice of numbers with
  /// a number: neither side tells a database what to convert the other to.
  private func refuseUntypedChoice(_ term: Term, beside other: Term) throws {
    guard isChoice(term), case .operand(let operand, _) = term else { return }
    switch other {
    case .operand(.property, _): return
    case .operand(_, let kind) where kind.family == .number && isNumber(operand): return
    case .constant(let value) where value.isPlainNumber && isNumber(operand): return
    default: throw Self.untypedChoice
    }
  }

  /// Whether an operand is a number that is written in the predicate, or a choice of such.
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
