extension FormatParser {
  /// Parses a piece up to its first operator: a sign, a literal, a key, or something in
  /// parentheses.
  mutating func parsePrefix() throws(PredicateFormatError) -> Item {
    let start = current.start
    switch current.kind {
    case .symbol(.leftParenthesis): return try parseParentheses()
    case .symbol(.minus): return try parseNegative()
    case .symbol(.not), .keyword(.not): return try parseNot()
    case .symbol(.leftBrace): return try parseAggregate()
    case .keyword(let keyword): return try parseKeyword(keyword)
    case .string(let text): return try literal(.string(text), start)
    case .integer(let integer): return try literal(.int(integer), start)
    case .real(let real): return try literal(.double(real), start)
    case .identifier: return try parseKeyOrCall()
    case .escapedIdentifier(let name):
      try advance()
      return try make(.expression(.keyPath([name])), depth: 1, start)
    case .collectionOperator(let name):
      try check(collectionOperator: name)
      try advance()
      return try make(.expression(.keyPath([name])), depth: 1, start)
    case .variable(let name): return try parseVariable(name)
    case .value: return try parseArgument()
    case .key:
      let node = Self.keyExpression(try keySegments())
      return try make(.expression(node), depth: 1, start)
    case .function(let name):
      try advance()
      return try parseCall(name, start)
    default: throw unexpected("a key, a value or a predicate")
    }
  }

  private mutating func literal(_ value: Value, _ start: Int) throws(PredicateFormatError) -> Item {
    try advance()
    return try make(.expression(.constant(value)), depth: 1, start)
  }

  private mutating func parseKeyword(_ keyword: Keyword) throws(PredicateFormatError) -> Item {
    let start = current.start
    switch keyword {
    case .truePredicate, .falsePredicate:
      try advance()
      return try make(.predicate(.constant(keyword == .truePredicate)), depth: 1, start)
    case .null, .nil: return try literal(.null, start)
    case .true, .yes: return try literal(.bool(true), start)
    case .false, .no: return try literal(.bool(false), start)
    case .self:
      try advance()
      return try make(.expression(.evaluatedObject), depth: 1, start)
    case .any, .some, .all, .none: return try parseModified(keyword)
    case .subquery: return try parseSubquery()
    case .cast: return try parseCast()
    case .ternary: return try parseConditional()
    case .function: return try parseFunctionKeyword()
    case .fetch: throw unsupported("FETCH in a format")
    case .anyKey: throw unsupported("ANYKEY")
    default:
      throw unexpected(
        "a key, a value or a predicate; a reserved word is used as a key by writing # before it")
    }
  }

  private mutating func parseParentheses() throws(PredicateFormatError) -> Item {
    let start = current.start
    try enter()
    try advance()
    var item = try parseItem(.or)
    try expect(.rightParenthesis)
    leave()
    item.start = start
    return item
  }

  private mutating func parseNot() throws(PredicateFormatError) -> Item {
    let start = current.start
    try enter()
    try advance()
    let item = try parseItem(.not)
    leave()
    return try make(.predicate(.not(try predicate(item))), depth: item.depth + 1, start)
  }

  /// A negative number is a constant; anything else is subtracted from zero.
  private mutating func parseNegative() throws(PredicateFormatError) -> Item {
    let start = current.start
    try enter()
    try advance()
    let item = try parseItem(.postfix)
    leave()
    let node = try expression(item)
    switch node {
    case .constant(.int(let integer)):
      return try make(
        .expression(.constant(.int(0 &- integer))), depth: 1, start)
    case .constant(.double(let real)):
      return try make(
        .expression(.constant(real == 0x1p63 ? .int(.min) : .double(-real))), depth: 1, start)
    default:
      let zero = ExpressionNode.constant(.int(0))
      return try make(
        .expression(.function("from:subtract:", [zero, node])), depth: item.depth + 1, start)
    }
  }

  private mutating func parseAggregate() throws(PredicateFormatError) -> Item {
    let start = current.start
    let (elements, depth) = try parseList(.leftBrace, .rightBrace)
    return try make(.expression(.aggregate(elements)), depth: depth + 1, start)
  }

  /// Parses expressions with commas between, in brackets of some kind.
  private mutating func parseList(
    _ opening: Symbol, _ closing: Symbol
  ) throws(PredicateFormatError) -> ([ExpressionNode], depth: Int) {
    try enter()
    try expect(opening)
    var elements: [ExpressionNode] = []
    var depth = 0
    while current.kind != .symbol(closing) {
      if !elements.isEmpty { try expect(.comma) }
      let element = try parseExpression()
      elements.append(element.node)
      depth = max(depth, element.depth)
    }
    try advance()
    leave()
    return (elements, depth)
  }

  private mutating func parseVariable(_ name: String) throws(PredicateFormatError) -> Item {
    let start = current.start
    try advance()
    if current.kind == .symbol(.assign) { throw unsupported("An assignment to a variable") }
    return try make(.expression(.variable(name)), depth: 1, start)
  }

  private mutating func parseKeyOrCall() throws(PredicateFormatError) -> Item {
    let start = current.start
    let name = lexer.text(from: start, to: current.end)
    try advance()
    if current.kind == .symbol(.leftParenthesis) { return try parseCall(name, start) }
    return try make(.expression(.keyPath([name])), depth: 1, start)
  }

  // MARK: Functions

  private mutating func parseCall(_ name: String, _ start: Int) throws(PredicateFormatError) -> Item
  {
    guard let function = PredicateFunction(named: name) else {
      throw lexer.error(.unknownFunction, "The function “\(name)” is not known.", at: start)
    }
    let (operands, depth) = try parseList(.leftParenthesis, .rightParenthesis)
    guard function.operandCounts.contains(operands.count) else {
      throw lexer.error(
        .wrongOperandCount,
        "The function “\(function.name)” does not take \(operands.count) operands.", at: start)
    }
    return try make(
      .expression(.function(function.name, operands)), depth: depth + 1, start)
  }

  /// `FUNCTION(target, "name:", …)`, for the functions that are known by name.
  private mutating func parseFunctionKeyword() throws(PredicateFormatError) -> Item {
    let start = current.start
    try advance()
    let (operands, depth) = try parseList(.leftParenthesis, .rightParenthesis)
    guard operands.count >= 2, case .constant(.string(let name)) = operands[1] else {
      throw lexer.error(
        .wrongOperandCount, "FUNCTION takes a target and a name.", at: start,
        expected: "a target and a name in quotes")
    }
    let values = [operands[0]] + operands.dropFirst(2)
    guard let function = PredicateFunction(named: name),
      function.operandCounts.contains(values.count)
    else {
      throw lexer.error(.unknownFunction, "The function “\(name)” is not known.", at: start)
    }
    return try make(.expression(.function(function.name, values)), depth: depth + 1, start)
  }

  private mutating func parseSubquery() throws(PredicateFormatError) -> Item {
    let start = current.start
    try enter()
    try advance()
    try expect(.leftParenthesis)
    let collection = try parseExpression()
    try expect(.comma)
    guard case .variable(let name) = current.kind else { throw unexpected("a variable") }
    try advance()
    try expect(.comma)
    let filter = try parseItem(.or)
    let node = try predicate(filter)
    try expect(.rightParenthesis)
    leave()
    return try make(
      .expression(.subquery(collection.node, variable: name, node)),
      depth: max(collection.depth, filter.depth) + 1, start)
  }

  private mutating func parseConditional() throws(PredicateFormatError) -> Item {
    let start = current.start
    try enter()
    try advance()
    try expect(.leftParenthesis)
    let condition = try parseItem(.or)
    let node = try predicate(condition)
    try expect(.comma)
    let first = try parseExpression()
    try expect(.comma)
    let second = try parseExpression()
    try expect(.rightParenthesis)
    leave()
    return try make(
      .expression(.conditional(node, first.node, second.node)),
      depth: max(condition.depth, first.depth, second.depth) + 1, start)
  }

  /// A cast of a constant becomes the constant it means.
  private mutating func parseCast() throws(PredicateFormatError) -> Item {
    let start = current.start
    try enter()
    try advance()
    try expect(.leftParenthesis)
    let operand = try parseExpression()
    try expect(.comma)
    guard case .string(let type) = current.kind else { throw unexpected("a type in quotes") }
    try advance()
    try expect(.rightParenthesis)
    leave()
    if case .constant(let value) = operand.node, let converted = value.cast(to: type) {
      return try make(.expression(.constant(converted)), depth: 1, start)
    }
    return try make(.expression(.cast(operand.node, type)), depth: operand.depth + 1, start)
  }
}
