import SwiftSyntax

extension TokenSyntax {
  /// The name as an expression can use it: a reserved word of Swift is in backticks.
  var quotedName: String {
    let name = plainName
    return Self.reservedWords.contains(name) ? "`\(name)`" : name
  }

  private static var reservedWords: Set<String> {
    [
      "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue",
      "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
      "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal",
      "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
      "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw",
      "throws", "true", "try", "typealias", "var", "where", "while",
    ]
  }
}
