extension FormatParser {
  /// Parses the operands of a function; an expression before a dot is the first operand.
  mutating func parseCall(
    _ name: String, on target: Item? = nil, at start: Int
  ) throws(PredicateFormatError) -> Item {
    guard let function = PredicateFunction(named: name) else {
      throw error(.unknownFunction, "The function “\(name)” is unknown.", at: start)
    }
    var (operands, depth) = try parseList(.leftParenthesis, .rightParenthesis)
    if let target {
      operands.insert(try expression(target), at: 0)
      depth = max(depth, target.depth)
    }
    guard function.operandCounts.contains(operands.count) else {
      throw error(
        .wrongOperandCount,
        "The function “\(function.name)” does not take \(operands.count) operands.", at: start)
    }
    return try make(
      .expression(.function(function.name, operands)), depth: depth + 1, start)
  }

  /// Parses `FUNCTION(target, "name:", …)`, a built-in function or a function registered for the
  /// target.
  ///
  /// A function without operands has no target and is written `FUNCTION("name")`.
  mutating func parseFunctionKeyword() throws(PredicateFormatError) -> Item {
    let start = current.start
    try advance()
    let (operands, depth) = try parseList(.leftParenthesis, .rightParenthesis)
    let place = operands.count == 1 ? 0 : 1
    guard place < operands.count, case .constant(.string(let name)) = operands[place],
      !name.isEmpty
    else {
      throw error(
        .wrongOperandCount, "FUNCTION requires a target and a name.", at: start,
        expected: "a target and a name in quotes")
    }
    let values = operands[..<place] + operands[(place + 1)...]
    return try make(.expression(.named(name, Array(values))), depth: depth + 1, start)
  }

  /// Parses `FETCH(request, context, countOnly)`.
  mutating func parseFetch() throws(PredicateFormatError) -> Item {
    let start = current.start
    try advance()
    let (operands, depth) = try parseList(.leftParenthesis, .rightParenthesis)
    guard operands.count == 3 else {
      throw error(
        .wrongOperandCount, "FETCH does not take \(operands.count) operands.", at: start,
        expected: "a request, a context and a count-only flag")
    }
    let node = ExpressionNode.fetch(operands[0], operands[1], countOnly: operands[2])
    return try make(.expression(node), depth: depth + 1, start)
  }

  mutating func parseSubquery() throws(PredicateFormatError) -> Item {
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

  mutating func parseConditional() throws(PredicateFormatError) -> Item {
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

  /// Parses a cast; the cast of a constant becomes a constant.
  mutating func parseCast() throws(PredicateFormatError) -> Item {
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
    let node = operand.node.cast(to: type)
    if case .constant = node { return try make(.expression(node), depth: 1, start) }
    return try make(.expression(node), depth: operand.depth + 1, start)
  }
}
