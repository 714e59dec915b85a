import Foundation
import OpenPredicates

/// A random predicate over an entity of the zoo, as a format with arguments.
struct ZooQuery: CustomStringConvertible {
  let entity: String
  let format: String
  let arguments: [ZooArgument]
  /// Whether predicate evaluation agrees with stores on every part, except for nulls.
  let isPlain: Bool

  var description: String { "\(entity): \(format) \(arguments)" }

  init(_ numbers: inout SeededNumbers, _ world: ZooWorld) {
    entity = numbers.pick(["Creature", "Creature", "Creature", "Bird", "Thing", "Place", "Visit"])
    var draw = ZooDraw(numbers: numbers, world: world)
    format = draw.condition(ZooScope(entity: entity, prefix: ""), depth: 2)
    arguments = draw.arguments
    isPlain = draw.isPlain
    numbers = draw.numbers
  }
}

/// The start of key paths: the row, or the variable of a subquery with its enclosing scopes.
struct ZooScope {
  var entity: String
  var prefix: String
  var outer: [(entity: String, prefix: String)] = []

  func key(_ path: String) -> String { prefix + path }

  /// The object itself.
  var itself: String { prefix.isEmpty ? "SELF" : String(prefix.dropLast()) }
}

/// Generates parts of predicates.
struct ZooDraw {
  var numbers: SeededNumbers
  let world: ZooWorld
  var arguments: [ZooArgument] = []
  var isPlain = true
  private var variables = 0

  init(numbers: SeededNumbers, world: ZooWorld) {
    self.numbers = numbers
    self.world = world
  }

  mutating func oneIn(_ count: Int) -> Bool { numbers.below(count) == 0 }

  // MARK: Conditions

  mutating func condition(_ scope: ZooScope, depth: Int) -> String {
    if depth > 0 {
      switch numbers.below(10) {
      case 0...2:
        let word = numbers.pick([" AND ", " OR ", " && ", " || "])
        let parts = (0...numbers.below(2) + 1).map { _ in condition(scope, depth: depth - 1) }
        return "(" + parts.joined(separator: word) + ")"
      case 3: return "NOT (" + condition(scope, depth: depth - 1) + ")"
      default: break
      }
    }
    return term(scope, depth: depth)
  }

  private mutating func term(_ scope: ZooScope, depth: Int) -> String {
    switch numbers.below(26) {
    case 0...2: return numberTerm(scope)
    case 3...5: return textTerm(scope)
    case 6...7: return plainTerm(scope)
    case 8: return nilTerm(scope)
    case 9: return pairTerm(scope)
    case 10...11: return objectTerm(scope)
    case 12...15: return quantifierTerm(scope)
    case 16...17: return countTerm(scope)
    case 18: return aggregateTerm(scope)
    case 19...21: return subqueryTerm(scope, depth: depth)
    case 22: return memberTerm(scope)
    case 23: return conditionalTerm(scope)
    case 24: return entityTerm(scope)
    default:
      return oneIn(8) ? numbers.pick(["TRUEPREDICATE", "FALSEPREDICATE"]) : numberTerm(scope)
    }
  }

  // MARK: Paths

  /// A path over to-one relationships to an attribute of a kind; nil if there is none.
  mutating func attribute(_ scope: ZooScope, _ kind: ZooKind) -> String {
    let start =
      !scope.outer.isEmpty && oneIn(4) ? numbers.pick(scope.outer) : (scope.entity, scope.prefix)
    for _ in 0..<4 {
      var entity = start.0
      var path = start.1
      for _ in 0..<(oneIn(2) ? 0 : numbers.below(3)) {
        let steps = ZooPaths.toOne(entity)
        guard !steps.isEmpty else { break }
        let step = numbers.pick(steps)
        path += step.name + "."
        entity = step.entity
      }
      let names = ZooPaths.attributes(entity, kind)
      if !names.isEmpty { return path + numbers.pick(names) }
    }
    // Every entity has a code, or a name.
    return scope.key(
      kind == .text && scope.entity != "Visit" ? "name" : kind == .text ? "note" : "code")
  }

  func holds(_ entity: String, _ kind: ZooKind) -> Bool {
    !ZooPaths.attributes(entity, kind).isEmpty
  }

  // MARK: Constants

  mutating func bind(_ argument: ZooArgument) -> String {
    arguments.append(argument)
    return "%@"
  }

  mutating func number() -> String {
    let number = numbers.below(12) - 4
    switch numbers.below(4) {
    case 0: return String(number)
    case 1: return String(Double(number) / 4)
    case 2: return bind(.value(.double(Double(number) / 2)))
    default: return bind(.value(.int(Int64(number))))
    }
  }

  mutating func text() -> String {
    let text = numbers.pick(ZooValues.texts)
    if oneIn(3), !text.contains("'") { return "'\(text)'" }
    return bind(.value(.string(text)))
  }

  mutating func constant(_ kind: ZooKind) -> String {
    switch kind {
    case .number: return number()
    case .text: return text()
    case .flag: return numbers.pick(["YES", "NO", "1", "0", "true", "FALSE"])
    default: return bind(.value(ZooValues.random(kind, &numbers)))
    }
  }

  /// A list for IN: literal or argument, sometimes empty, sometimes with nulls.
  mutating func list(_ kind: ZooKind) -> String {
    if oneIn(3), kind == .number || kind == .text {
      var members = (0..<numbers.below(4)).map { _ in constant(kind) }
      if oneIn(5) { members.append("nil") }
      return "{" + members.joined(separator: ", ") + "}"
    }
    var values = (0..<(oneIn(8) ? 12 : numbers.below(4))).map { _ in
      ZooValues.random(kind, &numbers)
    }
    if oneIn(5) { values.append(.null) }
    return bind(.list(values))
  }

  mutating func node(_ entity: String) -> ZooNode? {
    let nodes = world.nodes(of: entity)
    return nodes.isEmpty ? nil : numbers.pick(nodes)
  }

  mutating func objects(_ entity: String) -> String {
    let nodes = (0..<numbers.below(5)).compactMap { _ in node(entity) }
    return bind(.objects(nodes, asSet: oneIn(2)))
  }

  mutating func object(_ entity: String) -> String {
    guard let node = node(entity) else { return "nil" }
    return bind(oneIn(2) ? .object(node) : .id(node))
  }

  mutating func variable() -> String {
    variables += 1
    return "$v\(variables)"
  }
}
