import OpenPredicates

extension SQLRenderer {
  mutating func render(_ expression: SQLExpression) {
    switch expression {
    case .column(let table, let name):
      if let table { text += dialect.quoted(table) + "." }
      text += dialect.quoted(name)
    case .parameter(let parameter): render(parameter)
    case .integer(let integer): text += String(integer)
    case .real(let real):
      // SQL has no keyword for infinity, but a number that is too large is infinite.
      text += real.isInfinite ? (real < 0 ? "-9e999" : "9e999") : String(real)
    case .text(let value): text += literal(value)
    case .data(let literal): literalData(literal)
    case .null: text += "NULL"
    case .truth(let value): text += dialect.truth(value)
    case .countAll: text += "COUNT(*)"
    case .not(let operand):
      text += "NOT "
      parenthesized(operand)
    case .all(let parts): connect(parts, " AND ", empty: dialect.truth(true))
    case .any(let parts): connect(parts, " OR ", empty: dialect.truth(false))
    case .binary(let operation, let left, let right): render(operation, left, right)
    case .function(let name, let arguments): call(name, arguments)
    default: renderCondition(expression)
    }
  }

  private mutating func renderCondition(_ expression: SQLExpression) {
    switch expression {
    case .isNull(let operand):
      render(operand)
      text += " IS NULL"
    case .isNotNull(let operand):
      render(operand)
      text += " IS NOT NULL"
    case .isPresent(let operand):
      text += "("
      render(operand)
      text += " NOT NULL)"
    case .shifted(let operand, let distance):
      render(operand)
      text += distance < 0 ? " - " : " + "
      text += String(distance.magnitude)
    case .between(let operand, let lower, let upper):
      render(operand)
      text += " BETWEEN "
      render(lower)
      text += " AND "
      render(upper)
    case .isIn(let operand, let members):
      render(operand)
      text += " IN ("
      list(members) { $0.render($1) }
      text += ")"
    case .isAny(let operand, let list):
      render(operand)
      text += " = ANY("
      render(list)
      text += ")"
    case .isInResult(let operand, let select):
      render(operand)
      text += " IN "
      nested(select)
    case .exists(let select):
      text += "EXISTS "
      nested(select)
    case .scalar(let select): nested(select)
    case .collated(let operand, let collation):
      render(operand)
      text += " COLLATE " + collation
    case .unlessNull(let operand, let result):
      text += "CASE WHEN "
      render(operand)
      text += " IS NULL THEN NULL ELSE "
      render(result)
      text += " END"
    default: renderComputed(expression)
    }
  }

  private mutating func renderComputed(_ expression: SQLExpression) {
    switch expression {
    case .aggregate(let name, let operand, let isDistinct):
      text += isDistinct ? name + "(DISTINCT " : name + "("
      render(operand)
      text += ")"
    case .choice(let condition, let first, let second):
      text += "CASE WHEN "
      render(condition)
      text += " THEN "
      render(first)
      text += " ELSE "
      render(second)
      text += " END"
    case .isTrue(let condition):
      parenthesized(condition)
      text += " IS TRUE"
    case .noIndex(let operand):
      text += "+"
      render(operand)
    case .cast(let operand, let type):
      text += "CAST("
      render(operand)
      text += " AS " + type + ")"
    case .whole(let operand):
      text += "CAST("
      render(operand)
      text += " AS INTEGER)"
    default: break
    }
  }

  private mutating func render(
    _ operation: SQLOperator, _ left: SQLExpression, _ right: SQLExpression
  ) {
    if operation.isArithmetic { text += "(" }
    render(left)
    text += " " + operation.rawValue + " "
    render(right)
    if operation.isArithmetic { text += ")" }
  }

  private mutating func call(_ name: String, _ arguments: [SQLExpression]) {
    text += name + "("
    list(arguments) { $0.render($1) }
    text += ")"
  }

  private mutating func connect(_ parts: [SQLExpression], _ separator: String, empty: String) {
    if parts.isEmpty { text += empty }
    if parts.count > Self.longestChain { return connectGroups(of: parts, separator, empty) }
    list(parts, separator: separator) { renderer, part in
      switch part {
      case .all, .any: renderer.parenthesized(part)
      default: renderer.render(part)
      }
    }
  }

  /// The maximum length of a chain of operators. SQLite nests each operator of a chain one level
  /// deeper, and allows 1,000 levels.
  private static let longestChain = 100

  private mutating func connectGroups(
    of parts: [SQLExpression], _ separator: String, _ empty: String
  ) {
    let starts = Array(stride(from: 0, to: parts.count, by: Self.longestChain))
    list(starts, separator: separator) { renderer, start in
      renderer.text += "("
      let end = min(start + Self.longestChain, parts.count)
      renderer.connect(Array(parts[start..<end]), separator, empty: empty)
      renderer.text += ")"
    }
  }

  func literal(_ value: String) -> String { "'" + value.doubling("'") + "'" }

  mutating func parenthesized(_ expression: SQLExpression) {
    text += "("
    render(expression)
    text += ")"
  }

  private mutating func nested(_ select: SQLSelect) {
    text += "("
    render(select)
    text += ")"
  }
}
