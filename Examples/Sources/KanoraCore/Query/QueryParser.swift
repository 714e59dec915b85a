import Foundation

/// Parses queries: `or := and { OR and }`, `and := unary { [AND] unary }`, `unary := - unary | NOT unary | ( or ) | term`.
struct QueryParser {
  typealias Node = LibraryQuery.Node
  typealias Failure = LibraryQueryError

  static let longestText = 4_096
  static let deepestNesting = 32
  static let mostTerms = 200
  /// The valid bounds of a range, which cover the numbers of every attribute.
  static let bounds = -1_000_000_001...1_000_000_001
  /// The valid lengths of a period, in days.
  static let periods = 1...36_500_000

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var terms = 0

  static func parse(_ text: String) throws(Failure) -> Node {
    let scalars = Array(text.unicodeScalars)
    guard scalars.count <= longestText else {
      throw Failure(
        .tooLarge, at: longestText,
        "A query can have at most \(longestText) characters. Shorten the query.")
    }
    var parser = QueryParser(scalars: scalars)
    parser.skipSpace()
    if parser.isAtEnd { return .all([]) }
    let node = try parser.either(depth: 0)
    guard parser.isAtEnd else {
      throw Failure(
        .parenthesis, at: parser.position,
        "The closing parenthesis has no matching opening parenthesis. To search for a parenthesis, put it in quotes."
      )
    }
    return node
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  // MARK: Composed conditions

  private mutating func either(depth: Int) throws(Failure) -> Node {
    var alternatives = [try both(depth: depth)]
    while takeKeyword("OR") { alternatives.append(try both(depth: depth)) }
    return alternatives.count == 1 ? alternatives[0] : .any(alternatives)
  }

  private mutating func both(depth: Int) throws(Failure) -> Node {
    var conditions: [Node] = []
    while !isAtEnd, scalars[position] != ")", !isKeyword("OR") {
      if takeKeyword("AND"), conditions.isEmpty { throw missing("AND", "two conditions") }
      conditions.append(try unary(depth: depth))
    }
    guard !conditions.isEmpty else {
      throw Failure(.missingValue, at: position, "A condition is missing.")
    }
    return conditions.count == 1 ? conditions[0] : .all(conditions)
  }

  private mutating func unary(depth: Int) throws(Failure) -> Node {
    guard depth < Self.deepestNesting else {
      throw Failure(
        .tooLarge, at: position, "The conditions are nested too deeply. Simplify the query.")
    }
    guard !isAtEnd else {
      throw Failure(.missingValue, at: position, "A condition is missing.")
    }
    if takeKeyword("NOT") { return .not(try unary(depth: depth + 1)) }
    switch scalars[position] {
    case "-" where position + 1 < scalars.count && !Self.isSpace(scalars[position + 1]):
      position += 1
      return .not(try unary(depth: depth + 1))
    case "(": return try parenthesis(depth: depth)
    case ")": throw Failure(.missingValue, at: position, "A condition is missing.")
    default: return try term()
    }
  }

  private mutating func parenthesis(depth: Int) throws(Failure) -> Node {
    let start = position
    position += 1
    skipSpace()
    let node = try either(depth: depth + 1)
    guard !isAtEnd else {
      throw Failure(
        .parenthesis, at: start,
        "The parenthesis is not closed. To search for a parenthesis, put it in quotes.")
    }
    position += 1
    skipSpace()
    return node
  }

  // MARK: Terms

  private mutating func term() throws(Failure) -> Node {
    terms += 1
    guard terms <= Self.mostTerms else {
      throw Failure(
        .tooLarge, at: position,
        "A query can have at most \(Self.mostTerms) conditions. Shorten the query.")
    }
    let start = position
    if scalars[position] == "\"" {
      let text = try quotation()
      skipSpace()
      return .words(text)
    }
    let word = bareWord(endingAtColon: true)
    if position < scalars.count, scalars[position] == ":" {
      position += 1
      return try field(word, at: start)
    }
    skipSpace()
    return LibraryQuery.Flag(rawValue: word).map { .flag($0) } ?? .words(word)
  }

  private mutating func field(_ name: String, at start: Int) throws(Failure) -> Node {
    let valueStart = position
    let isWhole = position < scalars.count && scalars[position] == "="
    if isWhole { position += 1 }
    let isQuoted = position < scalars.count && scalars[position] == "\""
    let value = isQuoted ? try quotation() : bareWord(endingAtColon: false)
    skipSpace()
    let key = name.lowercased()
    if let field = LibraryQuery.TextField(rawValue: key) {
      if value.isEmpty { throw missing(name, "text") }
      return isWhole ? .equals(field, value) : .contains(field, value)
    }
    let text = isWhole ? "=\(value)" : value
    if let field = LibraryQuery.NumberField(rawValue: key) {
      return .range(field, try range(text, name, at: valueStart))
    }
    if let field = LibraryQuery.DateField(rawValue: key) {
      return .inTheLast(field, days: try days(text, name, at: valueStart))
    }
    if key == "notplayed" { return .notPlayed(days: try days(text, name, at: valueStart)) }
    throw Failure(
      .unknownField, at: start,
      "There is no field “\(name)”. To search for the text itself, put it in quotes.")
  }

  private func range(
    _ text: String, _ name: String, at start: Int
  ) throws(Failure) -> LibraryQuery.NumberRange {
    if text.isEmpty { throw missing(name, "a number") }
    if let value = Self.number(text) { return .init(value, value) }
    let bounds = text.components(separatedBy: "..")
    if bounds.count == 2, text != ".." {
      let (lower, upper) = (Self.number(bounds[0]), Self.number(bounds[1]))
      let isRead = (lower != nil || bounds[0].isEmpty) && (upper != nil || bounds[1].isEmpty)
      if isRead { return .init(lower, upper) }
    }
    for (sign, make) in Self.comparisons where text.hasPrefix(sign) {
      guard let value = Self.number(String(text.dropFirst(sign.count))) else { continue }
      let range = make(value)
      if Self.bounds.contains(range.lower ?? range.upper ?? value) { return range }
    }
    throw Failure(
      .badValue, at: start,
      "The value of “\(name)” must be a number, or a range such as 1990..1999, 1990.., ..1999, >=4 or <4."
    )
  }

  private static let comparisons: [(String, @Sendable (Int) -> LibraryQuery.NumberRange)] = [
    (">=", { .init($0, nil) }), ("<=", { .init(nil, $0) }), (">", { .init($0 + 1, nil) }),
    ("<", { .init(nil, $0 - 1) }), ("=", { .init($0, $0) }),
  ]

  /// Returns a number that can be a bound, or nil.
  private static func number(_ text: String) -> Int? {
    guard let value = Int(text), text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }) else {
      return nil
    }
    return bounds.contains(value) ? value : nil
  }

  private static let daysOfUnits: [Unicode.Scalar: Int] = ["d": 1, "w": 7, "m": 30, "y": 365]

  private func days(_ text: String, _ name: String, at start: Int) throws(Failure) -> Int {
    if text.isEmpty { throw missing(name, "a period such as 30d") }
    let scalars = text.unicodeScalars
    if let unit = scalars.last.flatMap({ Self.daysOfUnits[$0] }),
      let count = Self.number(String(scalars.dropLast())), Self.periods.contains(count * unit)
    {
      return count * unit
    }
    throw Failure(
      .badValue, at: start,
      "The value of “\(name)” must be a period in days, weeks, months or years, such as 30d, 2w, 6m or 1y."
    )
  }

  // MARK: Characters

  private var isAtEnd: Bool { position >= scalars.count }

  static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

  static func endsWord(_ scalar: Unicode.Scalar) -> Bool {
    isSpace(scalar) || scalar == "(" || scalar == ")" || scalar == "\""
  }

  private mutating func skipSpace() {
    while !isAtEnd, Self.isSpace(scalars[position]) { position += 1 }
  }

  private mutating func bareWord(endingAtColon endsAtColon: Bool) -> String {
    var word = String.UnicodeScalarView()
    while !isAtEnd, !Self.endsWord(scalars[position]),
      !(endsAtColon && scalars[position] == ":")
    {
      word.append(scalars[position])
      position += 1
    }
    return String(word)
  }

  private mutating func quotation() throws(Failure) -> String {
    let start = position
    position += 1
    var text = String.UnicodeScalarView()
    while !isAtEnd {
      let scalar = scalars[position]
      position += 1
      if scalar == "\"" {
        if text.isEmpty {
          throw Failure(
            .missingValue, at: start, "There is no text between the quotes. Remove the quotes.")
        }
        return String(text)
      }
      if scalar == "\\", !isAtEnd {
        text.append(scalars[position])
        position += 1
      } else {
        text.append(scalar)
      }
    }
    throw Failure(.openQuotation, at: start, "The quoted text is not closed. Add a closing quote.")
  }

  private func isKeyword(_ keyword: String) -> Bool {
    let letters = Array(keyword.unicodeScalars)
    let end = position + letters.count
    guard end <= scalars.count, Array(scalars[position..<end]) == letters else { return false }
    return end == scalars.count || Self.isSpace(scalars[end]) || scalars[end] == "("
      || scalars[end] == ")"
  }

  private mutating func takeKeyword(_ keyword: String) -> Bool {
    guard isKeyword(keyword) else { return false }
    position += keyword.unicodeScalars.count
    skipSpace()
    return true
  }

  private func missing(_ name: String, _ what: String) -> Failure {
    Failure(.missingValue, at: position, "“\(name)” requires \(what).")
  }
}
