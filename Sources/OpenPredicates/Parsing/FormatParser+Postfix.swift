extension FormatParser {
  /// Parses a key path step or an index after an expression.
  mutating func parsePostfix(after left: Item) throws(PredicateFormatError) -> Item {
    let base = try expression(left)
    if current.kind == .symbol(.dot) { return try parseSteps(after: left) }
    try enter()
    try advance()
    let item = try parseIndex(of: base, left)
    try expect(.rightBracket)
    leave()
    return item
  }

  /// Parses the steps up to the next index or call; the expression before a call is its first
  /// operand.
  private mutating func parseSteps(after left: Item) throws(PredicateFormatError) -> Item {
    let base = try expression(left)
    var segments: [String] = []
    while current.kind == .symbol(.dot) {
      try advance()
      if let name = calledName() {
        let start = current.start
        try advance()
        return try parseCall(name, on: appending(segments, to: base, of: left), at: start)
      }
      segments += try parseStep()
    }
    return try appending(segments, to: base, of: left)
  }

  /// Returns the name of a function if a call begins here; otherwise nil.
  private func calledName() -> String? {
    switch current.kind {
    case .function(let name): return name
    case .identifier:
      guard lexer.opensParenthesisNext() else { return nil }
      return lexer.text(from: current.start, to: current.end)
    default: return nil
    }
  }

  /// Returns the keys that follow a dot; `%K` may contain several.
  private mutating func parseStep() throws(PredicateFormatError) -> [String] {
    switch current.kind {
    case .key: return try keySegments()
    case .collectionOperator(let name):
      try check(collectionOperator: name)
      try advance()
      return [name]
    case .identifier, .keyword:
      let name = lexer.text(from: current.start, to: current.end)
      try advance()
      return [name]
    case .escapedIdentifier(let name):
      try advance()
      return [name]
    default: throw unexpected("a key")
    }
  }

  private func appending(
    _ segments: [String], to base: ExpressionNode, of left: Item
  ) throws(PredicateFormatError) -> Item {
    guard !segments.isEmpty else { return left }
    let depth =
      switch base {
      case .evaluatedObject, .keyPath, .path: left.depth
      default: left.depth + 1
      }
    return try make(.expression(base.appending(segments)), depth: depth, left.start)
  }

  private mutating func parseIndex(
    of base: ExpressionNode, _ left: Item
  ) throws(PredicateFormatError) -> Item {
    let node: ExpressionNode? =
      switch current.kind {
      case .keyword(.first): .first(base)
      case .keyword(.last): .last(base)
      case .keyword(.size): .size(base)
      default: nil
      }
    if let node {
      try advance()
      return try make(.expression(node), depth: left.depth + 1, left.start)
    }
    let index = try parseExpression()
    return try make(
      .expression(.index(base, index.node)), depth: max(left.depth, index.depth) + 1, left.start)
  }

  // MARK: Arguments

  /// Parses the next argument for `%@` or a number specifier.
  mutating func parseArgument() throws(PredicateFormatError) -> Item {
    let start = current.start
    _ = try takeArgument()
    valueCount += 1
    try advance()
    return try make(.expression(.argument(valueCount - 1)), depth: 1, start)
  }

  /// Returns the steps of the next argument for `%K`.
  mutating func keySegments() throws(PredicateFormatError) -> [String] {
    let position = current.start
    keyPositions.append(valueCount + keyPositions.count)
    guard let path = try takeArgument(at: valueCount + keyPositions.count - 1) as? String else {
      throw lexer.error(
        .unsuitableArgument, "The argument for %K is not a string.", at: position,
        expected: "a key path")
    }
    let segments = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if segments.contains("") {
      throw lexer.error(
        .invalidKeyPath, "The key path for %K contains an empty key.", at: position)
    }
    for segment in segments where segment.hasPrefix("@") {
      try check(collectionOperator: segment)
    }
    try advance()
    return segments
  }

  private func takeArgument(at index: Int? = nil) throws(PredicateFormatError) -> Any? {
    let index = index ?? valueCount + keyPositions.count
    guard index < arguments.count else {
      throw lexer.error(
        .missingArgument, "The format has more specifiers than arguments.", at: current.start,
        expected: "argument \(index + 1)")
    }
    return arguments[index]
  }

  /// Returns the expression of a `%K` at the beginning of a key path.
  static func keyExpression(_ segments: [String]) -> ExpressionNode {
    guard segments.first?.uppercased() == "SELF" else { return .keyPath(segments) }
    return segments.count == 1 ? .evaluatedObject : .keyPath(Array(segments.dropFirst()))
  }

  func check(collectionOperator name: String) throws(PredicateFormatError) {
    guard CollectionOperator(rawValue: name) == nil else { return }
    throw lexer.error(
      .unknownCollectionOperator, "The collection operator “\(name)” is unknown.",
      at: current.start)
  }
}
