/// Creates a predicate's format and arguments from choices; most of them fit the model.
struct FormatGrammar {
  private var choices: Choices
  private(set) var arguments: [Any] = []

  init(choices: Choices) { self.choices = choices }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[choices.next(elements.count)]
  }

  /// A key to sort by and its direction; nil for none.
  mutating func sort() -> (key: String, isAscending: Bool)? {
    if choices.next(3) != 1 { return nil }
    return (pick(Self.texts + Self.numbers + ["other.name", "day"]), choices.next(2) == 0)
  }

  mutating func predicate(depth: Int) -> String {
    let kind = depth > 4 || choices.isAtEnd ? 0 : choices.next(8)
    switch kind {
    case 1: return "(\(predicate(depth: depth + 1)) AND \(predicate(depth: depth + 1)))"
    case 2: return "(\(predicate(depth: depth + 1)) OR \(predicate(depth: depth + 1)))"
    case 3: return "NOT (\(predicate(depth: depth + 1)))"
    case 4: return "\(pick(["ANY", "ALL", "NONE", "SOME"])) \(toMany(depth))"
    case 5:
      return
        "SUBQUERY(others, $x, $x.\(pick(["name", "value"])) \(comparison) \(constant())).@count \(comparison) \(number())"
    default: return simple(depth)
    }
  }

  private mutating func toMany(_ depth: Int) -> String {
    let key = pick([
      "others.name", "others.value", "other.things.count", "other.things.text", "others",
    ])
    return "\(key) \(pick(Self.comparisons + Self.textOperations)) \(constant())"
  }

  private mutating func simple(_ depth: Int) -> String {
    switch choices.next(10) {
    case 8: return "\(pick(Self.keys)) IN {\(pick(Self.keys)), \(constant()), nil}"
    case 9: return "\(number()) BETWEEN {\(pick(["nil", number()])), \(pick(["nil", number()]))}"
    case 0: return "\(text()) \(pick(Self.textOperations))\(options()) \(textConstant())"
    case 1: return "\(text()) \(comparison)\(options()) \(textConstant())"
    case 2: return "\(expression(depth)) \(comparison) \(expression(depth))"
    case 3: return "\(pick(Self.keys)) IN\(options()) \(list())"
    case 4: return "\(number()) BETWEEN {\(number()), \(number())}"
    case 5: return "\(pick(Self.keys)) \(comparison) \(constant())"
    case 6: return "\(pick(Self.keys)) \(comparison) \(pick(Self.keys))"
    default: return "\(expression(depth)) \(comparison) \(number())"
    }
  }

  private mutating func expression(_ depth: Int) -> String {
    switch depth > 4 ? 0 : choices.next(8) {
    case 1:
      return "(\(expression(depth + 1)) \(pick(["+", "-", "*", "/"])) \(expression(depth + 1)))"
    case 2:
      return
        "\(pick(["abs", "ceiling", "floor", "trunc", "sqrt", "exp", "ln"]))(\(expression(depth + 1)))"
    case 3: return "others.@\(pick(["sum", "avg", "min", "max"])).value"
    case 4: return "others.@count"
    case 5: return "TERNARY(\(simple(depth + 2)), \(expression(depth + 1)), \(number()))"
    case 6: return "modulus:by:(\(expression(depth + 1)), \(number()))"
    default: return number()
    }
  }

  private var comparison: String { mutating get { pick(Self.comparisons) } }

  private mutating func options() -> String { pick(["", "", "[c]", "[d]", "[cd]", "[n]", "[l]"]) }

  private mutating func text() -> String {
    switch choices.next(6) {
    case 0: "lowercase(\(pick(Self.texts)))"
    case 1: "uppercase(\(pick(Self.texts)))"
    default: pick(Self.texts)
    }
  }

  private mutating func number() -> String {
    switch choices.next(4) {
    case 0:
      pick(["0", "1", "-1", "2.5", "9223372036854775807", "-9223372036854775808", "1e300", "0.1"])
    case 1: argument(pick(FuzzValues.numbers))
    default: pick(Self.numbers)
    }
  }

  private mutating func textConstant() -> String {
    choices.next(4) == 0 ? argument(pick(FuzzValues.all)) : argument(pick(FuzzValues.texts))
  }

  private mutating func constant() -> String {
    switch choices.next(4) {
    case 0: argument(pick(FuzzValues.all))
    case 1:
      pick([
        "nil", "1", "'a'", "TRUE", "NULL", "{1, 2}", "SELF", "-'a'", "-'10'", "-nil", "-text",
        "-other.name",
      ])
    case 2: argument(pick(FuzzValues.texts))
    default: argument(pick(FuzzValues.numbers))
    }
  }

  private mutating func list() -> String {
    switch choices.next(3) {
    case 0: "{\(constant()), \(constant())}"
    case 3:
      "{\(pick(["-'a'", "-'10'", "nil", "-\(argument(pick(FuzzValues.all)))"])), \(constant())}"
    case 1: argument((0..<choices.next(6)).map { _ in pick(FuzzValues.all) })
    default: argument((0..<choices.next(6)).map { _ in pick(FuzzValues.texts) })
    }
  }

  private mutating func argument(_ value: Any) -> String {
    arguments.append(value)
    return "%@"
  }

  private static let texts = ["text", "more", "other.name"]
  private static let numbers = ["count", "size", "ratio", "flag", "other.value"]
  private static let keys =
    texts + numbers + ["day", "code", "data", "other", "SELF", "extra", "link"]
  private static let comparisons = ["==", "!=", "<", "<=", ">", ">="]
  private static let textOperations = ["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES"]
}
