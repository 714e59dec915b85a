/// Converts a format string and its arguments to a tree in one pass, by operator precedence.
///
/// A parser is used once. It parses predicates and expressions with the same functions, because `(`
/// may begin either of them. The time is therefore linear in the length of the text. Depth and
/// length are limited.
struct FormatParser {
  /// A parsed piece: its content, the depth of its tree, and its start.
  struct Item {
    enum Content {
      case predicate(PredicateNode)
      case expression(ExpressionNode)
    }

    var content: Content
    var depth: Int
    var start: Int
  }

  /// The precedence of operators, lowest first.
  enum Precedence: Int {
    case or = 1
    case and, not, comparison, set, bitOr, bitExclusiveOr, bitAnd, shift, sum, product, power, sign
    case postfix
  }

  /// The maximum number of levels of a tree, and of open parentheses.
  static let depthLimit = TreeDepth.limit
  /// The maximum nesting of pieces: each level of a tree may be an operand in parentheses.
  private static let nestingLimit = 2 * depthLimit + 20
  static let lengthLimit = 1 << 20

  var lexer: FormatLexer
  var current: FormatToken
  /// The current nesting of pieces.
  private var nesting = 0
  /// The number of open parentheses.
  private var parentheses = 0

  let arguments: [Any?]
  /// The number of arguments used by value specifiers.
  var valueCount = 0
  /// The positions of the arguments used by `%K`.
  var keyPositions: [Int] = []

  init(format: String, arguments: [Any?]) throws(PredicateFormatError) {
    guard format.utf8.count <= Self.lengthLimit else {
      throw PredicateFormatError(
        code: .tooLong, message: "The format is longer than \(Self.lengthLimit) bytes.")
    }
    lexer = FormatLexer(format: format)
    self.arguments = arguments
    current = try lexer.next()
  }

  /// Parses the whole text as a predicate.
  mutating func parsePredicate() throws(PredicateFormatError) -> PredicateNode {
    let item = try parseItem(.or)
    let root = try predicate(item)
    guard current.kind == .end else { throw unexpected("an operator or the end of the format") }
    return root
  }

  /// Parses the whole text as an expression.
  mutating func parseWholeExpression() throws(PredicateFormatError) -> ExpressionNode {
    let node = try parseExpression().node
    guard current.kind == .end else { throw unexpected("an operator or the end of the format") }
    return node
  }

  /// Parses a piece with operators of at least the given precedence.
  mutating func parseItem(_ minimum: Precedence) throws(PredicateFormatError) -> Item {
    var left = try parsePrefix()
    while let precedence = infixPrecedence(), precedence.rawValue >= minimum.rawValue {
      left = try parseInfix(precedence, after: left)
    }
    return left
  }

  /// Enters a nested piece; every recursive path calls this method.
  mutating func enter() throws(PredicateFormatError) {
    nesting += 1
    if nesting > Self.nestingLimit { throw tooDeep(current.start) }
  }

  mutating func leave() {
    nesting -= 1
  }

  /// Enters a nested piece in parentheses.
  mutating func enterParentheses() throws(PredicateFormatError) {
    parentheses += 1
    if parentheses > Self.depthLimit { throw tooDeep(current.start) }
    try enter()
  }

  mutating func leaveParentheses() {
    parentheses -= 1
    leave()
  }

  // MARK: Operators between pieces

  private func infixPrecedence() -> Precedence? {
    switch current.kind {
    case .keyword(.or), .symbol(.or): .or
    case .keyword(.and), .symbol(.and): .and
    case .keyword(.union), .keyword(.intersect), .keyword(.minus): .set
    case .symbol(.bitOr): .bitOr
    case .symbol(.bitExclusiveOr): .bitExclusiveOr
    case .symbol(.bitAnd): .bitAnd
    case .symbol(.shiftLeft), .symbol(.shiftRight): .shift
    case .symbol(.plus), .symbol(.minus): .sum
    case .symbol(.times), .symbol(.divide): .product
    case .symbol(.power): .power
    case .symbol(.dot), .symbol(.leftBracket): .postfix
    default: beginsComparison() ? .comparison : nil
    }
  }

  private mutating func parseInfix(
    _ precedence: Precedence, after left: Item
  ) throws(PredicateFormatError) -> Item {
    switch precedence {
    case .or, .and: try parseChain(precedence, after: left)
    case .comparison: try parseComparison(after: left, modifier: .direct)
    case .set: try parseSetOperation(after: left)
    case .postfix: try parsePostfix(after: left)
    default: try parseArithmetic(precedence, after: left)
    }
  }

  /// Parses a chain such as `a AND b AND c`, which becomes one node.
  private mutating func parseChain(
    _ precedence: Precedence, after left: Item
  ) throws(PredicateFormatError) -> Item {
    var parts = [try predicate(left)]
    var depth = left.depth
    let operand: Precedence = precedence == .or ? .and : .not
    try enter()
    while infixPrecedence() == precedence {
      try advance()
      let item = try parseItem(operand)
      parts.append(try predicate(item))
      depth = max(depth, item.depth)
    }
    leave()
    let node: PredicateNode = precedence == .or ? .or(parts) : .and(parts)
    return try make(.predicate(node), depth: depth + 1, left.start)
  }

  private mutating func parseArithmetic(
    _ precedence: Precedence, after left: Item
  ) throws(PredicateFormatError) -> Item {
    let name =
      switch current.kind {
      case .symbol(.plus): "add:to:"
      case .symbol(.minus): "from:subtract:"
      case .symbol(.times): "multiply:by:"
      case .symbol(.divide): "divide:by:"
      case .symbol(.bitOr): "bitwiseOr:with:"
      case .symbol(.bitExclusiveOr): "bitwiseXor:with:"
      case .symbol(.bitAnd): "bitwiseAnd:with:"
      case .symbol(.shiftLeft): "leftshift:by:"
      case .symbol(.shiftRight): "rightshift:by:"
      default: "raise:toPower:"
      }
    let (one, other, depth) = try parseOperands(left, tighterThan: precedence)
    return try make(.expression(.function(name, [one, other])), depth: depth, left.start)
  }

  private mutating func parseSetOperation(after left: Item) throws(PredicateFormatError) -> Item {
    let operation: SetOperation =
      switch current.kind {
      case .keyword(.union): .union
      case .keyword(.intersect): .intersect
      default: .minus
      }
    let (one, other, depth) = try parseOperands(left, tighterThan: .set)
    return try make(.expression(.setOperation(operation, one, other)), depth: depth, left.start)
  }

  private mutating func parseOperands(
    _ left: Item, tighterThan precedence: Precedence
  ) throws(PredicateFormatError) -> (ExpressionNode, ExpressionNode, depth: Int) {
    let one = try expression(left)
    try advance()
    try enter()
    let right = try parseItem(Precedence(rawValue: precedence.rawValue + 1) ?? .postfix)
    leave()
    return (one, try expression(right), max(left.depth, right.depth) + 1)
  }

  // MARK: Tools

  mutating func advance() throws(PredicateFormatError) {
    current = try lexer.next()
  }

  mutating func expect(
    _ symbol: Symbol, or other: Symbol? = nil
  ) throws(PredicateFormatError) {
    guard current.kind == .symbol(symbol) else {
      let alternative = other.map { " or “\($0.rawValue)”" } ?? ""
      throw unexpected("“\(symbol.rawValue)”\(alternative)")
    }
    try advance()
  }

  func make(
    _ content: Item.Content, depth: Int, _ start: Int
  ) throws(PredicateFormatError) -> Item {
    if depth > Self.depthLimit { throw tooDeep(start) }
    return Item(content: content, depth: depth, start: start)
  }

  func predicate(_ item: Item) throws(PredicateFormatError) -> PredicateNode {
    if case .predicate(let node) = item.content { return node }
    throw unexpected("a comparison operator")
  }

  func expression(_ item: Item) throws(PredicateFormatError) -> ExpressionNode {
    if case .expression(let node) = item.content { return node }
    throw lexer.error(
      .unexpectedToken, "A predicate is used where a value is needed.", at: item.start,
      expected: "an expression")
  }

  mutating func parseExpression() throws(PredicateFormatError) -> (node: ExpressionNode, depth: Int)
  {
    let item = try parseItem(.set)
    return (try expression(item), item.depth)
  }

  func unexpected(_ expectation: String) -> PredicateFormatError {
    if current.kind == .end {
      return lexer.error(
        .unexpectedEnd, "The format is incomplete.", at: current.start, expected: expectation)
    }
    let token = lexer.text(from: current.start, to: min(current.end, current.start + 40))
    return lexer.error(
      .unexpectedToken, "“\(token)” is unexpected.", at: current.start, expected: expectation)
  }

  func unsupported(_ what: String) -> PredicateFormatError {
    lexer.error(.unsupportedSyntax, "\(what) is not supported.", at: current.start)
  }

  func error(
    _ code: PredicateFormatError.Code, _ message: String, at position: Int, expected: String? = nil
  ) -> PredicateFormatError {
    lexer.error(code, message, at: position, expected: expected)
  }

  private func tooDeep(_ position: Int) -> PredicateFormatError {
    lexer.error(
      .tooDeep, "The predicate is nested more than \(Self.depthLimit) levels deep.", at: position)
  }
}
