import OpenSQLCore

/// The tables of a rendered statement, by alias.
///
/// The type parses statements of the library's own renderer only. An alias has the form ` AS t` and
/// a number. Names of tables and columns contain no lowercase letters, so no name can look like an
/// alias.
struct StatementSources {
  private(set) var tables: [String: String] = [:]

  init(of sql: String) {
    var rest = Substring(sql)
    while let range = rest.firstRange(of: " AS t") {
      let digits = rest[range.upperBound...].prefix { $0.isASCII && $0.isNumber }
      if !digits.isEmpty, let name = Self.name(before: rest[..<range.lowerBound]) {
        tables["t" + digits] = name
      }
      rest = rest[range.upperBound...]
    }
  }

  /// Returns the identifier at the end of a text, without its quotes.
  private static func name(before text: Substring) -> String? {
    guard text.last == "\"" else {
      let word = text.reversed().prefix { $0 != " " && $0 != "(" }
      return word.isEmpty || word.first == ")" ? nil : String(word.reversed())
    }
    var name: [Character] = []
    var rest = text.dropLast()
    while let last = rest.popLast() {
      if last == "\"" {
        guard rest.last == "\"" else { return String(name.reversed()) }
        rest.removeLast()
      }
      name.append(last)
    }
    return nil
  }
}
