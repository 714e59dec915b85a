import OpenPredicates

extension ZooDraw {
  private mutating func count() -> String {
    "\(numbers.pick(["==", "!=", ">", "<", ">=", "<="])) \(numbers.below(4))"
  }

  mutating func objectTerm(_ scope: ZooScope) -> String {
    let steps = ZooPaths.toOne(scope.entity)
    var path = scope.itself
    var entity = scope.entity
    if !steps.isEmpty, !oneIn(3) {
      let step = numbers.pick(steps)
      (path, entity) = (scope.key(step.name), step.entity)
    } else if scope.prefix.isEmpty, oneIn(3) {
      path = numbers.pick(["objectID", "self"])
      // Other tests cover the in-memory comparison of objectID with objects.
      if path == "objectID" { isPlain = false }
    }
    switch numbers.below(4) {
    case 0: return "\(path) IN \(objects(entity))"
    case 1: return "NOT (\(path) IN \(objects(entity)))"
    case 2: return "\(object(entity)) \(numbers.pick(["==", "!="])) \(path)"
    default: return "\(path) \(numbers.pick(["==", "!="])) \(object(entity))"
    }
  }

  /// A to-many relationship, sometimes after a to-one relationship.
  private mutating func relationship(_ scope: ZooScope) -> (path: String, entity: String)? {
    let steps = ZooPaths.toOne(scope.entity)
    if oneIn(5), !steps.isEmpty {
      let step = numbers.pick(steps)
      let links = ZooPaths.toMany(step.entity)
      if !links.isEmpty {
        let link = numbers.pick(links)
        isPlain = false
        return (scope.key("\(step.name).\(link.name)"), link.entity)
      }
    }
    let links = ZooPaths.toMany(scope.entity)
    guard !links.isEmpty else { return nil }
    let link = numbers.pick(links)
    return (scope.key(link.name), link.entity)
  }

  mutating func quantifierTerm(_ scope: ZooScope) -> String {
    guard var (path, entity) = relationship(scope) else { return numberTerm(scope) }
    if oneIn(6) {
      let links = ZooPaths.toMany(entity)
      if !links.isEmpty {
        let link = numbers.pick(links)
        (path, entity) = ("\(path).\(link.name)", link.entity)
        isPlain = false
      }
    }
    let word = numbers.pick(["ANY", "ANY", "ALL", "NONE", "SOME", "any"])
    if oneIn(5) {
      if oneIn(2) { return "\(word) \(path) IN \(objects(entity))" }
      return "\(word) \(path) == \(object(entity))"
    }
    let steps = ZooPaths.toOne(entity)
    if oneIn(5), !steps.isEmpty {
      let step = numbers.pick(steps)
      return "\(word) \(path).\(step.name) == \(oneIn(4) ? "nil" : object(step.entity))"
    }
    let kind: ZooKind = numbers.pick([.number, .text].filter { holds(entity, $0) })
    let name = numbers.pick(ZooPaths.attributes(entity, kind))
    switch numbers.below(6) {
    case 0: return "\(word) \(path).\(name) IN \(list(kind))"
    case 1: return "\(word) \(path).\(name) \(numbers.pick(["==", "!="])) nil"
    case 2 where kind == .text:
      return
        "\(word) \(path).\(name) \(numbers.pick(["CONTAINS[cd]", "BEGINSWITH", "LIKE[c]"])) \(text())"
    case 3 where kind == .number: return "\(word) \(path).\(name) BETWEEN {0, 3}"
    default:
      return "\(word) \(path).\(name) \(numbers.pick(["==", "!=", "<", ">="])) \(constant(kind))"
    }
  }

  mutating func countTerm(_ scope: ZooScope) -> String {
    guard let (path, _) = relationship(scope) else { return numberTerm(scope) }
    return oneIn(4) ? "\(numbers.below(3)) < \(path).@count" : "\(path).@count \(count())"
  }

  mutating func aggregateTerm(_ scope: ZooScope) -> String {
    guard let (path, entity) = relationship(scope) else { return numberTerm(scope) }
    let name = numbers.pick(ZooPaths.attributes(entity, .number))
    let word = numbers.pick(["@sum", "@avg", "@min", "@max"])
    return "\(path).\(word).\(name) \(count())"
  }

  mutating func subqueryTerm(_ scope: ZooScope, depth: Int) -> String {
    guard let (path, entity) = relationship(scope) else { return numberTerm(scope) }
    let variable = variable()
    var inner = ZooScope(entity: entity, prefix: variable + ".", outer: scope.outer)
    inner.outer.append((scope.entity, scope.prefix))
    let condition = condition(inner, depth: min(1, depth - 1))
    return "SUBQUERY(\(path), \(variable), \(condition)).@count \(count())"
  }

  /// Membership in a relationship.
  mutating func memberTerm(_ scope: ZooScope) -> String {
    guard let (path, entity) = relationship(scope) else { return numberTerm(scope) }
    switch numbers.below(4) {
    case 0: return "\(object(entity)) IN \(path)"
    case 1: return "\(path) CONTAINS \(object(entity))"
    case 2 where entity == scope.entity: return "\(scope.itself) IN \(path)"
    default:
      let kind: ZooKind = numbers.pick([.number, .text].filter { holds(entity, $0) })
      let name = numbers.pick(ZooPaths.attributes(entity, kind))
      return "\(constant(kind)) IN \(path).\(name)"
    }
  }
}
