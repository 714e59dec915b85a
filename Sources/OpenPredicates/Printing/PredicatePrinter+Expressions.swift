extension PredicatePrinter {
  typealias Precedence = FormatParser.Precedence

  /// Returns the text of an expression, in parentheses if its precedence is lower than that of its
  /// context.
  func text(_ node: ExpressionNode, within surroundings: Precedence) -> String {
    let (plain, precedence) = text(node)
    return precedence.rawValue < surroundings.rawValue ? "(\(plain))" : plain
  }

  private func text(_ node: ExpressionNode) -> (String, Precedence) {
    switch node {
    case .constant(let value): return (value.predicateText, Self.precedence(of: value))
    case .argument(let number):
      guard let value = argument(number) else { return ("%@", .postfix) }
      return (value.predicateText, Self.precedence(of: value))
    case .evaluatedObject: return ("SELF", .postfix)
    case .keyPath(let path): return (Self.text(path, leading: true), .postfix)
    case .path(let base, let path):
      return (text(base, within: .postfix) + "." + Self.text(path, leading: false), .postfix)
    case .variable(let name): return ("$" + Self.text(name: name), .postfix)
    case .aggregate(let elements): return ("{\(list(elements))}", .postfix)
    case .function(let name, let operands): return text(function: name, operands)
    case .subquery(let collection, let name, let filter):
      let source = text(collection, within: .set)
      return ("SUBQUERY(\(source), $\(Self.text(name: name)), \(text(filter)))", .postfix)
    case .setOperation(let operation, let left, let right):
      return (text(left, within: .set) + Self.word(operation) + text(right, within: .bitOr), .set)
    case .index(let base, let index):
      return (text(base, within: .postfix) + "[\(text(index, within: .set))]", .postfix)
    case .first(let base): return (text(base, within: .postfix) + "[FIRST]", .postfix)
    case .last(let base): return (text(base, within: .postfix) + "[LAST]", .postfix)
    case .size(let base): return (text(base, within: .postfix) + "[SIZE]", .postfix)
    case .conditional(let condition, let first, let second):
      return ("TERNARY(\(text(condition)), \(list([first, second])))", .postfix)
    case .cast(let operand, let type):
      return ("CAST(\(text(operand, within: .set)), \(Value.quoted(type)))", .postfix)
    case .anyKey: return ("ANYKEY", .postfix)
    case .assignment(let name, let value):
      return ("$\(Self.text(name: name)) := \(text(value, within: .set))", .comparison)
    case .fetch(let request, let context, let countOnly):
      return ("FETCH(\(list([request, context, countOnly])))", .postfix)
    }
  }

  private func list(_ nodes: [ExpressionNode]) -> String {
    nodes.map { text($0, within: .set) }.joined(separator: ", ")
  }

  private func text(
    function name: String, _ operands: [ExpressionNode]
  ) -> (String, Precedence) {
    if name == "onesComplement:", operands.count == 1 {
      return ("~" + text(operands[0], within: .sign), .sign)
    }
    guard operands.count == 2, let (sign, precedence) = Self.sign(of: name) else {
      return (call(name, operands), .postfix)
    }
    let tighter = Precedence(rawValue: precedence.rawValue + 1) ?? .postfix
    let left = text(operands[0], within: precedence)
    return ("\(left) \(sign) \(text(operands[1], within: tighter))", precedence)
  }

  /// Returns the text of a call: by name, or with `FUNCTION` if the language has no such function.
  private func call(_ name: String, _ operands: [ExpressionNode]) -> String {
    if let function = PredicateFunction(named: name), function.name == name,
      function.operandCounts.contains(operands.count)
    {
      return "\(name)(\(list(operands)))"
    }
    guard let target = operands.first else { return "FUNCTION(\(Value.quoted(name)))" }
    let rest = operands.dropFirst().map { ", " + text($0, within: .set) }.joined()
    return "FUNCTION(\(text(target, within: .set)), \(Value.quoted(name))\(rest))"
  }

  /// Returns the precedence of a literal; a sign has a lower precedence than the steps after a
  /// number.
  private static func precedence(of value: Value) -> Precedence {
    switch value {
    case .int(let integer): integer < 0 ? .sign : .postfix
    case .double(let real): real.isFinite && real.sign == .minus ? .sign : .postfix
    default: .postfix
    }
  }

  private static func sign(of function: String) -> (String, Precedence)? {
    switch function {
    case "add:to:": ("+", .sum)
    case "from:subtract:": ("-", .sum)
    case "multiply:by:": ("*", .product)
    case "divide:by:": ("/", .product)
    case "raise:toPower:": ("**", .power)
    case "bitwiseOr:with:": ("|", .bitOr)
    case "bitwiseXor:with:": ("^", .bitExclusiveOr)
    case "bitwiseAnd:with:": ("&", .bitAnd)
    case "leftshift:by:": ("<<", .shift)
    case "rightshift:by:": (">>", .shift)
    default: nil
    }
  }

  private static func word(_ operation: SetOperation) -> String {
    switch operation {
    case .union: " UNION "
    case .intersect: " INTERSECT "
    case .minus: " MINUS "
    }
  }

  // MARK: Key paths

  private static func text(_ path: [String], leading: Bool) -> String {
    path.enumerated().map { step in
      text(key: step.element, isFirst: leading && step.offset == 0)
    }.joined(separator: ".")
  }

  /// Returns the text of a key, with `#` before reserved words and keys with special characters.
  private static func text(key: String, isFirst: Bool) -> String {
    if CollectionOperator(rawValue: key) != nil { return key }
    switch word(key) {
    case .identifier: return key
    case .keyword: return isFirst ? "#" + key : key
    default: return "#" + Value.quoted(key)
    }
  }

  /// Returns the text of a name after `$` or `@`, in quotes if it has special characters.
  static func text(name: String) -> String {
    switch word(name) {
    case .identifier, .keyword: name
    default: Value.quoted(name)
    }
  }

  /// Returns the token that a complete text forms; nil if it forms no token, or several.
  private static func word(_ text: String) -> FormatToken.Kind? {
    var lexer = FormatLexer(format: text)
    let token = try? lexer.next()  // A name that cannot be read is written in quotes.
    return token?.end == text.utf8.count && token?.start == 0 ? token?.kind : nil
  }
}
