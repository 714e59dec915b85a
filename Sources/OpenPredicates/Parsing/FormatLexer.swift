/// Splits a format string into tokens, one at a time.
///
/// One parser owns the lexer. The lexer works on UTF-8 bytes and visits each byte a bounded number
/// of times.
struct FormatLexer {
  /// The format string, for error messages.
  let format: String
  /// The UTF-8 bytes of the format string.
  let bytes: [UInt8]
  /// The position of the next byte to read.
  var position = 0

  init(format: String) {
    self.format = format
    bytes = Array(format.utf8)
  }

  /// Returns the next token, or `.end`.
  mutating func next() throws(PredicateFormatError) -> FormatToken {
    skipWhitespace()
    let start = position
    let kind = try nextKind()
    return FormatToken(kind: kind, start: start, end: position)
  }

  /// Returns the text between two offsets.
  func text(from start: Int, to end: Int) -> String {
    String(decoding: bytes[start..<end], as: UTF8.self)
  }

  func error(
    _ code: PredicateFormatError.Code, _ message: String, at position: Int, expected: String? = nil
  ) -> PredicateFormatError {
    PredicateFormatError(
      code: code, message: message, format: format, position: position, expectation: expected)
  }

  /// Returns the byte at a distance ahead; zero after the end.
  func peek(_ distance: Int = 0) -> UInt8 {
    let index = position + distance
    return index < bytes.count ? bytes[index] : 0
  }

  mutating func skipWhitespace() {
    while position < bytes.count {
      let length = whitespaceLength()
      if length == 0 { return }
      position += length
    }
  }

  private func whitespaceLength() -> Int {
    switch bytes[position] {
    case 0x09...0x0D, 0x20: 1
    case 0xC2 where peek(1) == 0xA0: 2
    case 0xE2 where peek(1) == 0x80 && (peek(2) & 0xFC == 0xA8 || peek(2) & 0xF0 == 0x80): 3
    case 0xE3 where peek(1) == 0x80 && peek(2) == 0x80: 3
    default: 0
    }
  }

  private mutating func nextKind() throws(PredicateFormatError) -> FormatToken.Kind {
    guard position < bytes.count else { return .end }
    let byte = bytes[position]
    if isIdentifierStart() { return word() }
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try quotedText())
    case UInt8(ascii: "%"): return try specifier()
    case UInt8(ascii: "$"): return .variable(try name(after: "$"))
    case UInt8(ascii: "@"): return .collectionOperator("@" + (try name(after: "@")))
    case UInt8(ascii: "#"): return .escapedIdentifier(try name(after: "#"))
    default: return try symbol()
    }
  }

  // MARK: Words

  private mutating func word() -> FormatToken.Kind {
    let start = position
    skipIdentifier()
    let length = position - start
    if let colons = functionNameEnd() {
      position = colons
      return .function(text(from: start, to: colons))
    }
    if length <= Keyword.longest,
      let keyword = Keyword(rawValue: text(from: start, to: position).uppercased())
    {
      return .keyword(keyword)
    }
    return .identifier
  }

  /// Returns the end of a function name with colons, if one continues here before an opening
  /// parenthesis.
  private func functionNameEnd() -> Int? {
    var scout = self
    while scout.peek() == UInt8(ascii: ":") {
      scout.position += 1
      if scout.isIdentifierStart() { scout.skipIdentifier() }
      if scout.peek() == UInt8(ascii: ":") { continue }
      let end = scout.position
      scout.skipWhitespace()
      let endsInColon = bytes[end - 1] == UInt8(ascii: ":")
      return endsInColon && scout.peek() == UInt8(ascii: "(") ? end : nil
    }
    return nil
  }

  /// Returns the name after `$`, `@` or `#`; a quoted name may contain any characters.
  private mutating func name(after sign: String) throws(PredicateFormatError) -> String {
    position += 1
    let start = position
    if peek() == UInt8(ascii: "\"") { return try quotedText() }
    guard isIdentifierStart() else {
      throw error(
        position == bytes.count ? .unexpectedEnd : .unexpectedCharacter,
        "A name is missing after “\(sign)”.", at: position, expected: "a name")
    }
    skipIdentifier()
    return text(from: start, to: position)
  }

  /// Reads the rest of a selector after its first part: a colon, and any other parts, each of which
  /// ends with a colon.
  mutating func selectorTail() -> String {
    let start = position
    while peek() == UInt8(ascii: ":") {
      position += 1
      let end = position
      guard isIdentifierStart() else { break }
      skipIdentifier()
      if peek() != UInt8(ascii: ":") {
        position = end
        break
      }
    }
    return text(from: start, to: position)
  }

  /// Returns whether the next token is an opening parenthesis.
  func opensParenthesisNext() -> Bool {
    var scout = self
    scout.skipWhitespace()
    return scout.peek() == UInt8(ascii: "(")
  }

  private func isIdentifierStart() -> Bool {
    switch peek() {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"):
      true
    case 0x80...0xFF: nonASCIIIdentifierLength() > 0
    default: false
    }
  }

  private mutating func skipIdentifier() {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "_"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        position += 1
      case 0x80...0xFF:
        let length = nonASCIIIdentifierLength()
        if length == 0 { return }
        position += length
      default: return
      }
    }
  }

  /// Returns the length of the letter at the current position; zero if there is no letter or digit.
  private func nonASCIIIdentifierLength() -> Int {
    let rest = bytes[position..<min(position + 4, bytes.count)]
    var decoder = UTF8()
    var iterator = rest.makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator),
      scalar.properties.isIDContinue
    else { return 0 }
    return UTF8.width(scalar)
  }
}
