extension FormatParser {
  /// Parses a piece up to its first operator: a sign, a literal, a key, or a piece in parentheses.
  mutating func parsePrefix() throws(PredicateFormatError) -> Item {
    let start = current.start
    switch current.kind {
    case .symbol(.leftParenthesis): return try parseParentheses()
    case .symbol(.minus): return try parseNegative()
    case .symbol(.complement): return try parseComplement()
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
      return try parseCall(name, at: start)
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
    case .fetch: return try parseFetch()
    case .anyKey:
      try advance()
      return try make(.expression(.anyKey), depth: 1, start)
    default:
      throw unexpected(
        "a key, a value or a predicate (to use a reserved word as a key, write # before the word)")
    }
  }

  private mutating func parseParentheses() throws(PredicateFormatError) -> Item {
    let start = current.start
    try enterParentheses()
    try advance()
    var item = try parseItem(.or)
    try expect(.rightParenthesis)
    leaveParentheses()
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

  /// The digits of the smallest integer, which has no positive counterpart.
  private static let leastInteger = "9223372036854775808"

  /// Parses a minus sign; a negative number is a constant, and any other expression is subtracted
  /// from zero.
  private mutating func parseNegative() throws(PredicateFormatError) -> Item {
    let start = current.start
    try enter()
    try advance()
    let isLeast =
      lexer.text(from: current.start, to: min(current.end, current.start + 20)) == Self.leastInteger
    let item = try parseItem(.sign)
    leave()
    let node = try expression(item)
    switch node {
    case .constant(.int(let integer)):
      let (negative, overflow) = Int64(0).subtractingReportingOverflow(integer)
      let value = overflow ? Value.double(-Double(integer)) : .int(negative)
      return try make(.expression(.constant(value)), depth: 1, start)
    case .constant(.double(let real)):
      return try make(
        .expression(.constant(isLeast ? .int(.min) : .double(-real))), depth: 1, start)
    default:
      let zero = ExpressionNode.constant(.int(0))
      return try make(
        .expression(.function("from:subtract:", [zero, node])), depth: item.depth + 1, start)
    }
  }

  private mutating func parseComplement() throws(PredicateFormatError) -> Item {
    let start = current.start
    try enter()
    try advance()
    let item = try parseItem(.sign)
    leave()
    let node = ExpressionNode.function("onesComplement:", [try expression(item)])
    return try make(.expression(node), depth: item.depth + 1, start)
  }

  private mutating func parseAggregate() throws(PredicateFormatError) -> Item {
    let start = current.start
    let (elements, depth) = try parseList(.leftBrace, .rightBrace)
    return try make(.expression(.aggregate(elements)), depth: depth + 1, start)
  }

  /// Parses expressions separated by commas inside brackets.
  mutating func parseList(
    _ opening: Symbol, _ closing: Symbol
  ) throws(PredicateFormatError) -> ([ExpressionNode], depth: Int) {
    try enter()
    try expect(opening)
    var elements: [ExpressionNode] = []
    var depth = 0
    while current.kind != .symbol(closing) {
      if !elements.isEmpty { try expect(.comma, or: closing) }
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
    guard current.kind == .symbol(.assign) else {
      return try make(.expression(.variable(name)), depth: 1, start)
    }
    try enter()
    try advance()
    let (value, depth) = try parseExpression()
    leave()
    return try make(.expression(.assignment(name, value)), depth: depth + 1, start)
  }

  private mutating func parseKeyOrCall() throws(PredicateFormatError) -> Item {
    let start = current.start
    let name = lexer.text(from: start, to: current.end)
    try advance()
    if current.kind == .symbol(.leftParenthesis) { return try parseCall(name, at: start) }
    return try make(.expression(.keyPath([name])), depth: 1, start)
  }
}
