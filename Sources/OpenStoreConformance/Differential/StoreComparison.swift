import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// The comparison of two stores that receive the same edits and plans.
///
/// Objects are identified by a number that both stores keep in an attribute, because keys may
/// differ between the stores. Confined to the call that created it.
struct StoreComparison {
  private var random: SplitMix64
  private let stores: [NumberedStore]
  private let schema: ConformanceSchema
  private var nextNumber: Int64 = 1
  /// The numbers of the existing objects, by entity.
  private var living: [String: [Int64]] = [:]

  private static let places = ["City", "Village", "Capital"]

  init(seed: UInt64, _ one: StoreUnderTest, _ other: StoreUnderTest) throws {
    random = SplitMix64(seed: seed)
    schema = try ConformanceSchema.shared()
    stores = [NumberedStore(try StoreTrial(one)), NumberedStore(try StoreTrial(other))]
    for entity in ["Company", "Tag", "City", "Village", "Capital", "Person", "Person"] {
      try insert(entity)
    }
  }

  func close() {
    for store in stores { store.trial.close() }
  }

  // MARK: Edits

  /// Performs one random commit in both stores.
  mutating func edit() throws {
    switch random.below(20) {
    case 0: try insert(random.element(of: Self.places + ["Company", "Tag"]))
    case 1..<8: try insert("Person")
    case 8..<14: try update()
    case 14..<17: try link()
    case 17: try deletePerson()
    case 18: try updateBatch()
    default: try deleteBatch()
    }
  }

  private mutating func insert(_ entity: String) throws {
    let values = RandomValues.values(of: entity, &random)
    let destinations = entity == "Person" ? randomDestinations() : [:]
    let number = nextNumber
    nextNumber += 1
    living[entity, default: []].append(number)
    for store in stores { try store.insert(entity, number, values, destinations) }
  }

  /// Returns random destinations of a person's to-one relationships, by number. Relationships
  /// without an entry are not changed.
  private mutating func randomDestinations() -> [String: Int64] {
    var destinations: [String: Int64] = [:]
    for (name, entities) in [
      ("employer", ["Company"]), ("home", Self.places), ("mentor", ["Person"]),
      ("birthplace", Self.places),
    ] where !random.once(in: 3) {
      if let number = anyLiving(entities) { destinations[name] = number }
    }
    return destinations
  }

  private mutating func anyLiving(_ entities: [String]) -> Int64? {
    let numbers = entities.flatMap { living[$0] ?? [] }
    return numbers.isEmpty ? nil : random.element(of: numbers)
  }

  private mutating func update() throws {
    guard let number = anyLiving(["Person"]) else { return }
    let all = RandomValues.values(of: "Person", &random).sorted { $0.key < $1.key }
    let some = all.filter { _ in random.once(in: 3) }
    let destinations = randomDestinations()
    let cleared = random.once(in: 3) ? ["mentor"] : []
    let values = Dictionary(some) { $1 }
    for store in stores { try store.update(number, values, destinations, clearing: cleared) }
  }

  private mutating func link() throws {
    let name = random.element(of: ["tags", "tags", "favorites"])
    let isAdded = !random.once(in: 3)
    guard let person = anyLiving(["Person"]),
      let destination = anyLiving(name == "tags" ? ["Tag"] : Self.places)
    else { return }
    for store in stores { try store.link(person, name, destination, isAdded) }
  }

  private mutating func deletePerson() throws {
    guard let number = anyLiving(["Person"]) else { return }
    living["Person"]?.removeAll { $0 == number }
    for store in stores { try store.deletePerson(number) }
  }

  private mutating func updateBatch() throws {
    guard stores.allSatisfy(\.canDeleteBatches) else { return }
    var plans = RandomPlans(schema: schema, numbers: living)
    var query = try plans.query(on: "Person", &random)
    (query.sort, query.limit, query.offset) = ([], nil, nil)
    let counts = try stores.map { try $0.updateRows(query) }
    try expect(counts[1], equals: counts[0], "Number of rows of a batch update of \(query)")
  }

  private mutating func deleteBatch() throws {
    guard random.once(in: 2), stores.allSatisfy(\.canDeleteBatches) else { return }
    var plans = RandomPlans(schema: schema, numbers: living)
    let query = try plans.query(on: random.element(of: ["Person", "Company"]), &random)
    for store in stores { try store.deleteRows(query) }
    let left = try stores.map { try $0.livingNumbers() }
    try expect(left[1], equals: left[0], "Objects left by a batch deletion of \(query)")
    living = left[0]
  }

  // MARK: Comparing

  /// Runs random plans on both stores.
  mutating func runPlans(count: Int) throws {
    for _ in 0..<count {
      var plans = RandomPlans(schema: schema, numbers: living)
      let entity = random.element(of: ["Person", "Person", "Person", "Company", "Place", "Tag"])
      let query = try plans.query(on: entity, &random)
      let results = try stores.map { try $0.numbers(query) }
      try expect(results[1], equals: results[0], "Rows of \(query)")
    }
  }

  /// Compares every value, destination and join row of both stores.
  func compareEverything() throws {
    for entity in ["Person", "Company", "Place", "Tag"] {
      let contents = try stores.map { try $0.contents(of: entity) }
      try expect(contents[1].count, equals: contents[0].count, "Number of rows of \(entity)")
      for (one, other) in zip(contents[0], contents[1]) {
        try expect(other, equals: one, "Values of a \(entity)")
      }
    }
  }
}
