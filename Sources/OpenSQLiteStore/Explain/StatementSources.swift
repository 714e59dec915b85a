import OpenSQLCore

/// The tables of a rendered statement by their aliases.
///
/// Reads the text of our own renderer: an alias is ` AS t` and a number, and names of tables and columns have
/// no small letters, so that no name can look like one.
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

  /// The identifier that a text ends with, without its quotes.
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
