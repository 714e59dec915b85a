import OpenPredicates

extension ZooDraw {
  private mutating func order() -> String {
    numbers.pick(["==", "=", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>"])
  }

  /// A number that depends on the row.
  mutating func numeric(_ scope: ZooScope) -> String {
    let path = attribute(scope, .number)
    switch numbers.below(12) {
    case 0: return "(\(path) + \(number()))"
    case 1: return "(\(path) - \(attribute(scope, .number)))"
    case 2: return "\(path) * \(number())"
    case 3: return "abs:(\(path))"
    case 4: return "modulus:by:(\(scope.key("code")), 3)"
    case 5: return "bitwiseAnd:with:(\(scope.key("code")), 6)"
    case 6 where holds(scope.entity, .text): return "length:(\(attribute(scope, .text)))"
    case 7: return "noindex:(\(path))"
    case 8: return "(\(path) / 2)"
    default: return path
    }
  }

  mutating func numberTerm(_ scope: ZooScope) -> String {
    switch numbers.below(7) {
    case 0: return "\(number()) \(order()) \(numeric(scope))"
    case 1:
      let low = numbers.below(10) - 5
      return "\(numeric(scope)) BETWEEN {\(low), \(low + numbers.below(5))}"
    case 2:
      let low = numbers.below(10) - 5
      let limits = [Value.int(Int64(low)), .int(Int64(low + numbers.below(5)))]
      let place = "\(attribute(scope, .number)) BETWEEN "
      return place + bind(.list(limits))
    case 3:
      let place = attribute(scope, .number)
      if oneIn(3) { return "\(place) IN {\(attribute(scope, .number)), \(number()), nil}" }
      if oneIn(6) { return "nil IN \(list(.number))" }
      return "\(place) \(numbers.pick(["IN", "in"])) \(list(.number))"
    default:
      let place = numeric(scope)
      if oneIn(8) { return nilBound(place) }
      return "\(place) \(order()) \(number())"
    }
  }

  /// A comparison with nil that has no special meaning.
  private mutating func nilBound(_ place: String) -> String {
    switch numbers.below(4) {
    case 0: return "\(place) < nil"
    case 1: return "nil <= \(place)"
    case 2: return "\(place) BETWEEN {nil, \(number())}"
    default: return "\(place) >= \(bind(.value(.null)))"
    }
  }

  /// A text with a minus sign before it, which is a number or nil.
  private mutating func negated() -> String {
    switch numbers.below(5) {
    case 0: "-" + bind(.value(.string("12")))
    case 1: "-nil"
    case 2: "-''"
    default: numbers.pick(["-'12'", "-'alpha'"])
    }
  }

  mutating func textTerm(_ scope: ZooScope) -> String {
    var path = attribute(scope, .text)
    if oneIn(8) { path = numbers.pick(["uppercase:", "lowercase:", "canonical:"]) + "(\(path))" }
    switch numbers.below(10) {
    case 0...3:
      let operation = numbers.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH"])
      return "\(path) \(operation)\(options()) \(text())"
    case 4:
      let pattern = numbers.pick(["a*", "*a", "?lpha", "*e*", "under", "*", "a\\\\%*"])
      return "\(path) LIKE\(options()) '\(pattern)'"
    case 5:
      let pattern = numbers.pick(["a.*", "[a-z]+", ".*e.*", "(alpha|beta).*", "\\\\d+"])
      return "\(path) MATCHES\(numbers.pick(["", "[c]"])) '\(pattern)'"
    case 6:
      switch numbers.below(6) {
      case 0: return "\(path) IN {\(attribute(scope, .text)), \(text())}"
      case 1: return "\(path) IN {\(negated()), \(text())}"
      case 2: return "\(path) \(numbers.pick(["==", "!=", "CONTAINS"])) \(negated())"
      default: return "\(path) IN \(list(.text))"
      }
    case 7: return "\(text()) \(numbers.pick(["==", "<", "!="])) \(path)"
    case 8: return "\(path) \(numbers.pick(["==", "!="]))\(options()) \(text())"
    default: return "\(path) \(order()) \(text())"
    }
  }

  private mutating func options() -> String {
    numbers.pick(["", "", "[c]", "[d]", "[cd]", "[dc]", "[n]"])
  }

  /// Attributes of the other types.
  mutating func plainTerm(_ scope: ZooScope) -> String {
    let kinds: [ZooKind] = [.flag, .date, .uuid, .uri, .data].filter { holds(scope.entity, $0) }
    guard !kinds.isEmpty else { return numberTerm(scope) }
    let kind = numbers.pick(kinds)
    let path = scope.key(numbers.pick(ZooPaths.attributes(scope.entity, kind)))
    if kind == .date {
      return oneIn(4) ? "\(path) IN \(list(.date))" : "\(path) \(order()) \(constant(.date))"
    }
    if oneIn(3), kind != .flag { return "\(path) IN \(list(kind))" }
    return "\(path) \(numbers.pick(["==", "!="])) \(constant(kind))"
  }

  mutating func nilTerm(_ scope: ZooScope) -> String {
    let operation = numbers.pick(["==", "!="])
    let steps = ZooPaths.toOne(scope.entity)
    let path: String
    if oneIn(2), !steps.isEmpty {
      path = scope.key(numbers.pick(steps).name)
    } else {
      path = attribute(scope, numbers.pick([.number, .text]))
    }
    switch numbers.below(4) {
    case 0: return "nil \(operation) \(path)"
    case 1: return "\(path) \(operation) \(bind(.value(.null)))"
    default: return "\(path) \(operation) nil"
    }
  }

  /// A comparison of two key paths.
  mutating func pairTerm(_ scope: ZooScope) -> String {
    if oneIn(2) {
      return
        "\(attribute(scope, .text)) \(numbers.pick(["==", "!=", "<", ">="])) \(attribute(scope, .text))"
    }
    return "\(attribute(scope, .number)) \(order()) \(attribute(scope, .number))"
  }

  mutating func conditionalTerm(_ scope: ZooScope) -> String {
    let condition = numberTerm(scope)
    let first = attribute(scope, .number)
    let second = number()
    return "TERNARY(\(condition), \(first), \(second)) \(order()) \(number())"
  }

  mutating func entityTerm(_ scope: ZooScope) -> String {
    guard scope.prefix.isEmpty else { return nilTerm(scope) }
    // Only SELF: predicate evaluation does not read this key from objects at the end of a path.
    isPlain = false
    let name = numbers.pick(ZooModel.entityNames)
    return
      "\(numbers.pick(["entity", "self.entity"])) \(numbers.pick(["==", "!="])) \(bind(.entity(name)))"
  }
}
