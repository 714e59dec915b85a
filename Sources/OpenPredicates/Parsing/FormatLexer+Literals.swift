extension FormatLexer {
  // MARK: Strings

  /// Reads a quoted string and replaces its escapes; the position is then after the closing quote.
  mutating func quotedText() throws(PredicateFormatError) -> String {
    let start = position
    let quote = peek()
    position += 1
    var content: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == quote { return String(decoding: content, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") {
        try appendEscape(to: &content)
      } else {
        content.append(byte)
      }
    }
    throw error(
      .unterminatedString, "The string has no closing quote.", at: start, expected: "a quote")
  }

  private mutating func appendEscape(to content: inout [UInt8]) throws(PredicateFormatError) {
    let byte = peek()
    position += 1
    switch byte {
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "0"): content.append(0)
    case UInt8(ascii: "x"): appendScalar(digits: 2, name: byte, to: &content)
    case UInt8(ascii: "u"): appendScalar(digits: 4, name: byte, to: &content)
    default: if position <= bytes.count { content.append(byte) }
    }
  }

  /// Appends the character with a hexadecimal number, or the letter itself if digits are missing.
  private mutating func appendScalar(digits: Int, name: UInt8, to content: inout [UInt8]) {
    guard let high = hexadecimal(digits) else {
      content.append(name)
      return
    }
    position += digits
    var code = high
    if (0xD800..<0xDC00).contains(high), peek() == UInt8(ascii: "\\"),
      peek(1) == UInt8(ascii: "u")
    {
      position += 2
      if let low = hexadecimal(4), (0xDC00..<0xE000).contains(low) {
        position += 4
        code = 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
      } else {
        position -= 2
      }
    }
    let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
    content.append(contentsOf: String(Character(scalar)).utf8)
  }

  private func hexadecimal(_ digits: Int) -> UInt32? {
    guard position + digits <= bytes.count else { return nil }
    var value = UInt32(0)
    for byte in bytes[position..<position + digits] {
      guard let digit = Self.digit(byte), digit < 16 else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) - 48
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 87
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) - 55
    default: nil
    }
  }

  // MARK: Numbers

  /// Reads a number; a number that exceeds 64 bits becomes a floating-point number.
  mutating func number() throws(PredicateFormatError) -> FormatToken.Kind {
    let start = position
    if peek() == UInt8(ascii: "0"), let radix = radix(of: peek(1)) {
      position += 2
      return try prefixedInteger(radix: radix, start: start)
    }
    var isReal = false
    skipDigits()
    if peek() == UInt8(ascii: "."), isDigit(peek(1)) {
      isReal = true
      position += 1
      skipDigits()
    }
    if peek() | 0x20 == UInt8(ascii: "e") {
      isReal = true
      try skipExponent(start)
    }
    try endNumber(start)
    let digits = text(from: start, to: position)
    if !isReal, let integer = Int64(digits) { return .integer(integer) }
    guard let real = Double(digits) else {
      throw error(.invalidNumber, "The number is malformed.", at: start)
    }
    return .real(real)
  }

  private func radix(of letter: UInt8) -> Int? {
    switch letter | 0x20 {
    case UInt8(ascii: "x"): 16
    case UInt8(ascii: "o"): 8
    case UInt8(ascii: "b"): 2
    default: nil
    }
  }

  private mutating func prefixedInteger(
    radix: Int, start: Int
  ) throws(PredicateFormatError) -> FormatToken.Kind {
    let first = position
    while let digit = Self.digit(peek()), digit < radix { position += 1 }
    try endNumber(start)
    let digits = text(from: first, to: position)
    guard let integer = UInt64(digits, radix: radix) else {
      throw error(.invalidNumber, "The number has no digits or too many digits.", at: start)
    }
    return Int64(exactly: integer).map { .integer($0) } ?? .real(Double(integer))
  }

  private mutating func skipExponent(_ start: Int) throws(PredicateFormatError) {
    position += 1
    if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
    guard isDigit(peek()) else {
      throw error(.invalidNumber, "The exponent has no digits.", at: start, expected: "a digit")
    }
    skipDigits()
  }

  /// Throws if a letter directly follows a number.
  private func endNumber(_ start: Int) throws(PredicateFormatError) {
    if Self.digit(peek()) != nil || peek() == UInt8(ascii: "_") {
      throw error(.invalidNumber, "The number is malformed.", at: start)
    }
  }

  private mutating func skipDigits() {
    while isDigit(peek()) { position += 1 }
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  // MARK: Specifiers

  /// Reads `%@`, `%K`, or a number specifier with its flags and length modifiers.
  mutating func specifier() throws(PredicateFormatError) -> FormatToken.Kind {
    let start = position
    position += 1
    while isDigit(peek()) || peek() == UInt8(ascii: ".") { position += 1 }
    while "hlqzjtL".utf8.contains(peek()) { position += 1 }
    let conversion = peek()
    guard position < bytes.count else {
      throw error(
        .unexpectedEnd, "The specifier is incomplete.", at: start, expected: "a specifier")
    }
    position += 1
    if conversion == UInt8(ascii: "@") { return .value }
    if conversion == UInt8(ascii: "K") { return .key }
    if "diuxXofFgGeEaAcCsSpDUO".utf8.contains(conversion) { return .value }
    if conversion == UInt8(ascii: "%") {
      throw error(
        .unexpectedToken, "A percent sign is allowed only inside quotes.", at: start,
        expected: "a specifier")
    }
    throw error(.unknownSpecifier, "The specifier is unknown.", at: start)
  }

  // MARK: Symbols

  /// Reads punctuation; the longest symbol is tried first.
  mutating func symbol() throws(PredicateFormatError) -> FormatToken.Kind {
    if let symbol = Self.pair(peek(), peek(1)) {
      position += 2
      return .symbol(symbol)
    }
    if let symbol = Self.single(peek()) {
      position += 1
      return .symbol(symbol)
    }
    throw error(
      .unexpectedCharacter, "The character is not valid here.", at: position)
  }

  private static func pair(_ first: UInt8, _ second: UInt8) -> Symbol? {
    switch (first, second) {
    case (UInt8(ascii: "="), UInt8(ascii: "=")): .equal
    case (UInt8(ascii: "="), UInt8(ascii: "<")): .lessOrEqual
    case (UInt8(ascii: "="), UInt8(ascii: ">")): .greaterOrEqual
    case (UInt8(ascii: "<"), UInt8(ascii: "=")): .lessOrEqual
    case (UInt8(ascii: ">"), UInt8(ascii: "=")): .greaterOrEqual
    case (UInt8(ascii: "<"), UInt8(ascii: ">")): .notEqual
    case (UInt8(ascii: "!"), UInt8(ascii: "=")): .notEqual
    case (UInt8(ascii: "*"), UInt8(ascii: "*")): .power
    case (UInt8(ascii: "&"), UInt8(ascii: "&")): .and
    case (UInt8(ascii: "|"), UInt8(ascii: "|")): .or
    case (UInt8(ascii: ":"), UInt8(ascii: "=")): .assign
    case (UInt8(ascii: "<"), UInt8(ascii: "<")): .shiftLeft
    case (UInt8(ascii: ">"), UInt8(ascii: ">")): .shiftRight
    default: nil
    }
  }

  private static func single(_ byte: UInt8) -> Symbol? {
    switch byte {
    case UInt8(ascii: "="): .equal
    case 0x21...0x7E: Symbol(rawValue: String(UnicodeScalar(byte)))
    default: nil
    }
  }
}
