/// Parses CSS selectors: type, class, id, attribute tests, the combinators space, `>` and `+`, commas, `:nth-of-type(n)`,
/// `:first-of-type`, `:not(…)` and `:disabled`.
///
/// A value over one selector's text; any other syntax is rejected.
struct SelectorParser {
  private let characters: [Character]
  private var position = 0

  private init(_ text: String) {
    characters = Array(text)
  }

  /// Parses a selector.
  ///
  /// - Parameter text: The selector.
  /// - Returns: The parsed selector.
  /// - Throws: `PageError` with code `.malformedSelector` and the offset in characters.
  static func parse(_ text: String) throws(PageError) -> Selector {
    var parser = SelectorParser(text)
    return try parser.parseGroups()
  }

  private mutating func parseGroups() throws(PageError) -> Selector {
    var groups = [try parseCompounds()]
    while current == "," {
      position += 1
      groups.append(try parseCompounds())
    }
    guard current == nil else { throw failure("an unexpected character") }
    return Selector(groups: groups)
  }

  private mutating func parseCompounds() throws(PageError) -> [Selector.Compound] {
    skipBlanks()
    var compounds = [Selector.Compound(tests: try parseTests(), combinator: .descendant)]
    while let combinator = parseCombinator() {
      compounds.append(Selector.Compound(tests: try parseTests(), combinator: combinator))
    }
    return compounds
  }

  private mutating func parseCombinator() -> Selector.Combinator? {
    let hadBlank = skipBlanks()
    switch current {
    case nil, ",": return nil
    case ">":
      position += 1
      skipBlanks()
      return .child
    case "+":
      position += 1
      skipBlanks()
      return .nextSibling
    default: return hadBlank ? .descendant : nil
    }
  }

  private mutating func parseTests() throws(PageError) -> [Selector.Test] {
    var tests: [Selector.Test] = []
    while let test = try parseTest() { tests.append(test) }
    guard !tests.isEmpty else { throw failure("a missing simple selector") }
    return tests
  }

  private mutating func parseTest() throws(PageError) -> Selector.Test? {
    switch current {
    case "*":
      position += 1
      return .any
    case ".":
      position += 1
      return .className(try parseName())
    case "#":
      position += 1
      return .identifier(try parseName())
    case "[":
      position += 1
      return try parseAttribute()
    case ":":
      position += 1
      return try parsePseudoClass()
    case let character? where isNameCharacter(character): return .name(try parseName().lowercased())
    default: return nil
    }
  }

  private mutating func parseAttribute() throws(PageError) -> Selector.Test {
    skipBlanks()
    let name = try parseName().lowercased()
    skipBlanks()
    if current == "]" {
      position += 1
      return .attribute(name, .exists)
    }
    let sign = current
    if sign != "=" { position += 1 }
    try expect("=")
    skipBlanks()
    let value = try parseValue()
    skipBlanks()
    try expect("]")
    switch sign {
    case "=": return .attribute(name, .equals(value))
    case "*": return .attribute(name, .contains(value))
    case "^": return .attribute(name, .begins(value))
    case "$": return .attribute(name, .ends(value))
    case "~": return .attribute(name, .includesWord(value))
    default: throw failure("an unknown attribute operator")
    }
  }

  private mutating func parseValue() throws(PageError) -> String {
    guard let quote = current, quote == "'" || quote == "\"" else { return try parseName() }
    position += 1
    var value = ""
    while let character = current, character != quote {
      value.append(character)
      position += 1
    }
    guard current == quote else { throw failure("an unterminated string") }
    position += 1
    return value
  }

  private mutating func parsePseudoClass() throws(PageError) -> Selector.Test {
    let name = try parseName().lowercased()
    switch name {
    case "first-of-type": return .placeAmongSameName(1)
    case "disabled": return .disabled
    case "nth-of-type":
      try expect("(")
      skipBlanks()
      guard let place = Int(try parseName()), place > 0 else {
        throw failure("an index that is not a positive integer")
      }
      skipBlanks()
      try expect(")")
      return .placeAmongSameName(place)
    case "not":
      try expect("(")
      skipBlanks()
      guard let test = try parseTest() else { throw failure("an empty :not()") }
      skipBlanks()
      try expect(")")
      return .not(test)
    default: throw failure("an unknown pseudo-class")
    }
  }

  private mutating func parseName() throws(PageError) -> String {
    var name = ""
    while let character = current, isNameCharacter(character) {
      name.append(character)
      position += 1
    }
    guard !name.isEmpty else { throw failure("a missing name") }
    return name
  }

  private mutating func expect(_ character: Character) throws(PageError) {
    guard current == character else { throw failure("a missing '\(character)'") }
    position += 1
  }

  @discardableResult
  private mutating func skipBlanks() -> Bool {
    let start = position
    while let character = current, character.isWhitespace { position += 1 }
    return position > start
  }

  private var current: Character? {
    position < characters.count ? characters[position] : nil
  }

  private func isNameCharacter(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "-" || character == "_"
  }

  private func failure(_ reason: String) -> PageError {
    PageError(
      .malformedSelector, "The selector has \(reason).", position: position,
      marker: String(characters))
  }
}
