extension FormatParser {
  /// Returns whether the current token is a comparison operator, or text in place of one.
  func beginsComparison() -> Bool {
    switch current.kind {
    case .symbol(let symbol): Self.operation(symbol) != nil
    case .keyword(let keyword): Self.operation(keyword) != nil
    case .collectionOperator: true
    case .identifier: isTypeIdentifierOperator()
    default: false
    }
  }

  /// Parses an operator, its options and the right side.
  mutating func parseComparison(
    after left: Item, modifier: ComparisonModifier
  ) throws(PredicateFormatError) -> Item {
    let one = try expression(left)
    let (operation, selector) = try parseOperator()
    let options = try parseOptions()
    let (rightStart, isText) = (current.start, current.isText)
    try enter()
    let right = try parseItem(.set)
    leave()
    let other = try expression(right)
    if isText, operation == .matches { try check(pattern: other, at: rightStart) }
    let node = ComparisonNode(
      left: one, right: other, modifier: modifier, operation: operation, options: options,
      selector: selector)
    return try make(
      .predicate(.comparison(node)), depth: max(left.depth, right.depth) + 1, left.start)
  }

  /// Parses the comparison after `ANY`, `SOME`, `ALL` or `NONE`.
  mutating func parseModified(_ keyword: Keyword) throws(PredicateFormatError) -> Item {
    let start = current.start
    try advance()
    try enter()
    let left = try parseItem(.set)
    leave()
    _ = try expression(left)
    guard beginsComparison() else { throw unexpected("a comparison operator") }
    var item = try parseComparison(after: left, modifier: keyword == .all ? .all : .any)
    item.start = start
    guard keyword == .none else { return item }
    return try make(.predicate(.not(try predicate(item))), depth: item.depth + 1, start)
  }

  private mutating func parseOperator() throws(PredicateFormatError) -> (
    ComparisonOperator, selector: String?
  ) {
    if case .collectionOperator(let name) = current.kind {
      let selector = String(name.dropFirst()) + lexer.selectorTail()
      try advance()
      return (.customSelector, selector)
    }
    let operation: ComparisonOperator? =
      switch current.kind {
      case .symbol(let symbol): Self.operation(symbol)
      case .keyword(let keyword): Self.operation(keyword)
      case .identifier: throw unsupported("A type identifier operator")
      default: nil
      }
    guard let operation else { throw unexpected("a comparison operator") }
    try advance()
    return (operation, nil)
  }

  /// Parses letters in brackets that follow the operator, directly or after whitespace.
  private mutating func parseOptions() throws(PredicateFormatError) -> StringOptions {
    guard current.kind == .symbol(.leftBracket) else { return [] }
    try advance()
    var options: StringOptions = []
    while current.kind != .symbol(.rightBracket) {
      let letters = lexer.text(from: current.start, to: current.end).utf8
      guard let more = Self.options(letters) else {
        throw unexpected("one or more of the letters c, d, n and l")
      }
      options.formUnion(more)
      try advance()
    }
    try advance()
    return options
  }

  private static func options(_ letters: String.UTF8View) -> StringOptions? {
    var options: StringOptions = []
    for letter in letters {
      switch letter | 0x20 {
      case UInt8(ascii: "c"): options.insert(.caseInsensitive)
      case UInt8(ascii: "d"): options.insert(.diacriticInsensitive)
      case UInt8(ascii: "n"): options.insert(.normalized)
      case UInt8(ascii: "l"): options.insert(.localeSensitive)
      default: return nil
      }
    }
    return letters.isEmpty ? nil : options
  }

  /// Checks a regular expression that is written in the format.
  private func check(pattern: ExpressionNode, at position: Int) throws(PredicateFormatError) {
    guard case .constant(.string(let text)) = pattern else { return }
    do {
      try StringMatch.prepare(pattern: text)
    } catch {
      throw lexer.error(error.code, error.message, at: position)
    }
  }

  private func isTypeIdentifierOperator() -> Bool {
    guard lexer.peek() == UInt8(ascii: "-"), current.end - current.start == 3 else { return false }
    let rest = lexer.text(from: current.start, to: min(current.start + 15, lexer.bytes.count))
    let word = rest.uppercased()
    return word.hasPrefix("UTI-CONFORMS-TO") || word.hasPrefix("UTI-EQUALS")
  }

  private static func operation(_ symbol: Symbol) -> ComparisonOperator? {
    switch symbol {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .lessThan
    case .lessOrEqual: .lessThanOrEqual
    case .greater: .greaterThan
    case .greaterOrEqual: .greaterThanOrEqual
    default: nil
    }
  }

  private static func operation(_ keyword: Keyword) -> ComparisonOperator? {
    switch keyword {
    case .in: .in
    case .between: .between
    case .contains: .contains
    case .containsWords: .containsWords
    case .beginsWith: .beginsWith
    case .endsWith: .endsWith
    case .like: .like
    case .matches: .matches
    default: nil
    }
  }
}
