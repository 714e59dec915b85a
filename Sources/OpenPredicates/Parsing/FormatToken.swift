/// A token of a format string, with its position.
struct FormatToken {
  /// The kind and content of a token.
  enum Kind: Equatable {
    /// A key; its text is read from the format.
    case identifier
    /// A key after `#`, which is never a reserved word.
    case escapedIdentifier(String)
    /// A reserved word.
    case keyword(Keyword)
    /// The name of a function with its colons, or a name directly before `(`.
    case function(String)
    case string(String)
    case integer(Int64)
    case real(Double)
    /// A variable `$NAME`, without the dollar sign.
    case variable(String)
    /// A collection operator `@name`, with the at sign.
    case collectionOperator(String)
    /// A value specifier, such as `%@` or `%d`.
    case value
    /// A key specifier, `%K`.
    case key
    case symbol(Symbol)
    case end
  }

  let kind: Kind
  /// The offset of the token's first byte.
  let start: Int
  let end: Int

  /// Whether the token is a quoted string.
  var isText: Bool {
    if case .string = kind { true } else { false }
  }
}

/// Punctuation, and operators that consist of punctuation.
enum Symbol: String {
  case leftParenthesis = "("
  case rightParenthesis = ")"
  case leftBracket = "["
  case rightBracket = "]"
  case leftBrace = "{"
  case rightBrace = "}"
  case comma = ","
  case dot = "."
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divide = "/"
  case power = "**"
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case and = "&&"
  case or = "||"
  case not = "!"
  case assign = ":="
  case bitAnd = "&"
  case bitOr = "|"
  case bitExclusiveOr = "^"
  case complement = "~"
  case shiftLeft = "<<"
  case shiftRight = ">>"
}

/// The reserved words of the format language.
enum Keyword: String {
  case and = "AND"
  case or = "OR"
  case `in` = "IN"
  case not = "NOT"
  case all = "ALL"
  case any = "ANY"
  case some = "SOME"
  case none = "NONE"
  case like = "LIKE"
  case caseInsensitive = "CASEINSENSITIVE"
  case ci = "CI"
  case matches = "MATCHES"
  case contains = "CONTAINS"
  case containsWords = "CONTAINSWORDS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case between = "BETWEEN"
  case null = "NULL"
  case `nil` = "NIL"
  case `self` = "SELF"
  case `true` = "TRUE"
  case yes = "YES"
  case `false` = "FALSE"
  case no = "NO"
  case first = "FIRST"
  case last = "LAST"
  case size = "SIZE"
  case anyKey = "ANYKEY"
  case subquery = "SUBQUERY"
  case fetch = "FETCH"
  case cast = "CAST"
  case ternary = "TERNARY"
  case function = "FUNCTION"
  case union = "UNION"
  case intersect = "INTERSECT"
  case minus = "MINUS"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"

  /// The length of the longest reserved word.
  static let longest = 15
}
