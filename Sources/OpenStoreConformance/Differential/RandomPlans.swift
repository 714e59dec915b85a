import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// Generates random queries with a nested filter, a sort order without ties, and a limit or offset.
struct RandomPlans {
  let schema: ConformanceSchema
  /// The numbers of the existing objects, by entity.
  let numbers: [String: [Int64]]
  private var bindings: [Value] = []

  init(schema: ConformanceSchema, numbers: [String: [Int64]]) {
    self.schema = schema
    self.numbers = numbers
  }

  mutating func query(on entity: String, _ random: inout SplitMix64) throws -> Query {
    bindings = []
    var query = Query(entity)
    if !random.once(in: 6) { query.filter = try filter(on: entity, depth: 3, &random) }
    query.bindings = bindings
    query.includesSubentities = !random.once(in: 5)
    guard !random.once(in: 3) else { return query }
    query.sort = try sort(on: entity, &random)
    if random.once(in: 3) { query.limit = random.below(8) }
    if random.once(in: 3) { query.offset = random.below(8) }
    return query
  }

  private mutating func bind(_ value: Value) -> Operand {
    bindings.append(value)
    return .binding(bindings.count - 1)
  }

  // MARK: Sorting

  /// Returns up to two random sort terms, followed by the object itself, so that the order has no
  /// ties.
  private func sort(on entity: String, _ random: inout SplitMix64) throws -> [SortTerm] {
    var terms: [SortTerm] = []
    for _ in 0..<random.below(3) {
      let path = try schema.path(attributePath(on: entity, &random))
      terms.append(SortTerm(path: path, isAscending: random.once(in: 2)))
    }
    let object = try schema.path("\(entity).SELF")
    return terms + [SortTerm(path: object, isAscending: !random.once(in: 4))]
  }

  // MARK: Filters

  private mutating func filter(
    on entity: String, depth: Int, _ random: inout SplitMix64
  ) throws -> Filter {
    guard depth > 0, random.once(in: 2) else { return try leaf(on: entity, depth, &random) }
    switch random.below(4) {
    case 0: return .not(try filter(on: entity, depth: depth - 1, &random))
    case 1: return .and(try filters(on: entity, depth, &random))
    default: return .or(try filters(on: entity, depth, &random))
    }
  }

  private mutating func filters(
    on entity: String, _ depth: Int, _ random: inout SplitMix64
  ) throws -> [Filter] {
    var parts: [Filter] = []
    for _ in 0..<random.below(4) {
      parts.append(try filter(on: entity, depth: depth - 1, &random))
    }
    return parts
  }

  private mutating func leaf(
    on entity: String, _ depth: Int, _ random: inout SplitMix64
  ) throws -> Filter {
    switch random.below(12) {
    case 0: return .isNull(.property(try schema.path(try anyPath(on: entity, &random))))
    case 1: return try membership(on: entity, &random)
    case 2: return try range(on: entity, &random)
    case 3: return try text(on: entity, &random)
    case 4: return try object(on: entity, &random)
    case 5: return try count(on: entity, &random)
    case 6 where depth > 0: return try exists(on: entity, depth, &random)
    case 7 where entity == "Person": return try arithmetic(&random)
    case 8 where entity == "Company": return try aggregate(&random)
    default: return try comparison(on: entity, &random)
    }
  }

  private static let orders: [ComparisonOperator] = [
    .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
  ]

  private mutating func comparison(
    on entity: String, _ random: inout SplitMix64
  ) throws -> Filter {
    let path = attributePath(on: entity, &random)
    let constant = bind(value(at: path, &random))
    return .comparison(
      .property(try schema.path(path)), random.element(of: Self.orders), constant, [])
  }

  private mutating func membership(
    on entity: String, _ random: inout SplitMix64
  ) throws -> Filter {
    let path = attributePath(on: entity, &random)
    let list = (0..<random.element(of: [1, 2, 3, 9, 40])).map { _ in value(at: path, &random) }
    bindings.append(.list(list))
    return .isMember(.property(try schema.path(path)), list: bindings.count - 1, [])
  }

  private mutating func range(on entity: String, _ random: inout SplitMix64) throws -> Filter {
    let path = attributePath(on: entity, &random)
    let lower = bind(value(at: path, &random))
    let upper = bind(value(at: path, &random))
    return .isBetween(.property(try schema.path(path)), lower, upper)
  }

  private mutating func text(on entity: String, _ random: inout SplitMix64) throws -> Filter {
    let operation = random.element(
      of: [ComparisonOperator.contains, .beginsWith, .endsWith, .like, .equal])
    let options = random.element(
      of: [
        StringOptions(), .caseInsensitive, .diacriticInsensitive,
        [.caseInsensitive, .diacriticInsensitive],
      ])
    let pattern = bind(
      operation == .like
        ? .string(random.element(of: ["a*", "?", "*b", "x?y", "É*", "*"]))
        : RandomValues.text(&random))
    return .comparison(.property(try schema.path("\(entity).name")), operation, pattern, options)
  }

  private mutating func object(on entity: String, _ random: inout SplitMix64) throws -> Filter {
    let isPerson = entity == "Person"
    let name = isPerson ? random.element(of: ["SELF", "mentor", "mentor.SELF"]) : "SELF"
    let entities = entity == "Place" ? ["City", "Capital", "Village"] : [entity]
    let candidates = entities.flatMap { numbers[$0] ?? [] }
    guard !candidates.isEmpty else { return .constant(random.once(in: 2)) }
    let number = random.element(of: candidates)
    let constant = bind(
      .object(ObjectReference(entityToken: 0, storeToken: 0, key: number)))
    return .comparison(
      .property(try schema.path("\(entity).\(name)")),
      random.element(of: [.equal, .notEqual]), constant, [])
  }

  private mutating func arithmetic(_ random: inout SplitMix64) throws -> Filter {
    let name = random.element(of: ["add:to:", "from:subtract:", "multiply:by:", "divide:by:"])
    let operands = [
      Operand.property(try schema.path("Person.\(random.element(of: ["age", "height"]))")),
      bind(RandomValues.integer(&random)),
    ]
    let constant = bind(RandomValues.real(&random))
    return .comparison(
      .function(name, operands), random.element(of: Self.orders), constant, [])
  }

  // MARK: To-many relationships

  private static let toMany: [String: [(name: String, destination: String)]] = [
    "Person": [
      ("pupils", "Person"), ("tags", "Tag"), ("favorites", "Place"),
      ("employer.employees", "Person"), ("mentor.tags", "Tag"),
    ],
    "Company": [("employees", "Person")], "Tag": [("people", "Person")],
    "Place": [("residents", "Person"), ("companies", "Company")],
  ]

  private mutating func exists(
    on entity: String, _ depth: Int, _ random: inout SplitMix64
  ) throws -> Filter {
    let end = random.element(of: Self.toMany[entity] ?? [])
    return .exists(
      try schema.toMany("\(entity).\(end.name)"),
      try filter(on: end.destination, depth: depth - 1, &random))
  }

  private mutating func count(on entity: String, _ random: inout SplitMix64) throws -> Filter {
    let end = random.element(of: Self.toMany[entity] ?? [])
    return .comparison(
      .count(try schema.toMany("\(entity).\(end.name)")), random.element(of: Self.orders),
      bind(.int(Int64(random.below(4)))), [])
  }

  private mutating func aggregate(_ random: inout SplitMix64) throws -> Filter {
    let path = random.element(of: ["age", "height"])
    let aggregate = random.element(of: [Aggregate.sum, .minimum, .maximum, .average])
    let operand = Operand.aggregate(
      aggregate, try schema.toMany("Company.employees"),
      .property(try schema.path("Person.\(path)")))
    return .comparison(
      operand, random.element(of: Self.orders), bind(RandomValues.integer(&random)), [])
  }

  // MARK: Paths

  private static let steps: [String: [String: String]] = [
    "Person": [
      "employer": "Company", "home": "Place", "mentor": "Person", "birthplace": "Place",
    ],
    "Company": ["headquarters": "Place"],
  ]

  /// Returns a path to an attribute across up to two relationships.
  private func attributePath(on entity: String, _ random: inout SplitMix64) -> String {
    var path = entity
    var reached = entity
    while random.once(in: 3), let steps = Self.steps[reached], path.split(separator: ".").count < 3
    {
      let step = random.element(of: steps.keys.sorted())
      path += ".\(step)"
      reached = steps[step] ?? reached
    }
    return "\(path).\(random.element(of: RandomValues.attributes[reached] ?? []))"
  }

  private func anyPath(on entity: String, _ random: inout SplitMix64) throws -> String {
    guard let steps = Self.steps[entity], random.once(in: 3) else {
      return attributePath(on: entity, &random)
    }
    return "\(entity).\(random.element(of: steps.keys.sorted()))"
  }

  private func value(at path: String, _ random: inout SplitMix64) -> Value {
    if random.once(in: 15) { return .null }
    return RandomValues.value(of: path.split(separator: ".").last.map(String.init) ?? "", &random)
  }
}
