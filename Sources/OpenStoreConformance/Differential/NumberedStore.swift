import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// One of two stores that are compared. Its objects are identified by numbers.
///
/// Confined to the comparison that created it.
final class NumberedStore {
  let trial: StoreTrial
  private var ids: [Int64: ObjectKey] = [:]
  private var numbers: [ObjectKey: Int64] = [:]

  init(_ trial: StoreTrial) { self.trial = trial }

  var canDeleteBatches: Bool { trial.store.capabilities.contains(.batchRequests) }

  func id(_ number: Int64) throws -> ObjectKey { try require(ids[number], "Object \(number)") }

  // MARK: Edits

  func insert(
    _ entity: String, _ number: Int64, _ values: [String: Value], _ destinations: [String: Int64]
  ) throws {
    let object = NewObject(values, toOne: try destinations.mapValues { try id($0) })
    let inserted = try trial.insert(entity, object)
    ids[number] = inserted
    numbers[inserted] = number
  }

  func update(
    _ number: Int64, _ values: [String: Value], _ destinations: [String: Int64],
    clearing cleared: [String]
  ) throws {
    let row = try trial.storedRow(try id(number))
    var toOne: [String: ObjectKey?] = [:]
    for name in cleared { toOne.updateValue(nil, forKey: name) }
    for (name, destination) in destinations where !cleared.contains(name) {
      toOne[name] = try id(destination)
    }
    try trial.write { try $0.update(row, values, toOne: toOne) }
  }

  func link(_ source: Int64, _ name: String, _ destination: Int64, _ isAdded: Bool) throws {
    let source = try self.id(source)
    let destination = try self.id(destination)
    let isJoined = try trial.destinations(name, of: [source])[0].contains(destination)
    guard isJoined != isAdded else { return }
    try trial.write { try $0.link(source, name, destination, isAdded: isAdded) }
  }

  /// Deletes a person as the object graph does: after nullifying the person's relationships.
  func deletePerson(_ number: Int64) throws {
    let person = try id(number)
    let row = try trial.storedRow(person)
    let pupils = try trial.destinations("pupils", of: [person])[0]
      .filter { $0 != person }.map { try trial.storedRow($0) }
    let tags = try trial.destinations("tags", of: [person])[0]
    let favorites = try trial.destinations("favorites", of: [person])[0]
    try trial.write { changes in
      for pupil in pupils { try changes.update(pupil, toOne: ["mentor": nil]) }
      for tag in tags { try changes.link(person, "tags", tag, isAdded: false) }
      for favorite in favorites { try changes.link(person, "favorites", favorite, isAdded: false) }
      changes.delete(row)
    }
  }

  func deleteRows(_ query: Query) throws {
    _ = try trial.store.deleteRows(matching: try trial.plan(translated(query)))
  }

  /// Changes the ages and notes of people and returns the number of changed rows.
  func updateRows(_ query: Query) throws -> Int {
    var query = translated(query)
    let one = Operand.binding(query.bindings.count)
    query.bindings.append(.int(1))
    return try trial.updateBatch(
      query,
      [
        "age": .operand(.function("add:to:", [try trial.operand("Person.age"), one])),
        "note": .operand(try trial.operand("Person.home.name")), "height": .constant(.double(0.5)),
      ]
    ).updated.count
  }

  // MARK: Reading

  /// Returns the numbers of the existing objects, by entity.
  func livingNumbers() throws -> [String: [Int64]] {
    var living: [String: [Int64]] = [:]
    for root in ["Person", "Company", "Place", "Tag"] {
      for id in try trial.store.keys(matching: try trial.plan(Query(root))) {
        let entity = trial.schema.model.entities[Int(id.entityIndex)].name
        living[entity, default: []].append(try number(id))
      }
    }
    return living.mapValues { $0.sorted() }
  }

  /// Returns the numbers of the objects that a query selects, in the order of the query, or in
  /// ascending order if the query has no order.
  func numbers(_ query: Query) throws -> [Int64] {
    let numbers = try trial.rows(translated(query)).map { row in
      try number(ObjectKey(entityIndex: row.entityIndex, key: row.key))
    }
    return query.sort.isEmpty ? numbers.sorted() : numbers
  }

  /// Returns the contents of an entity's rows as texts, ordered by number.
  func contents(of entity: String) throws -> [String] {
    let rows = try trial.rows(Query(entity))
    let numbered = try rows.map { row in
      (try number(ObjectKey(entityIndex: row.entityIndex, key: row.key)), row)
    }
    return try numbered.sorted { $0.0 < $1.0 }.map { "\($0.0): \(try describe($0.1))" }
  }

  private func number(_ id: ObjectKey) throws -> Int64 {
    try require(numbers[id], "Number of \(id)")
  }

  private func describe(_ row: Row) throws -> String {
    let entity = trial.schema.model.entities[row.entityIndex]
    let id = ObjectKey(entityIndex: row.entityIndex, key: row.key)
    return try entity.properties.map { property in
      if property.relationship?.isToMany == true {
        let found = try trial.destinations(property.name, of: [id])[0]
        return "\(property.name): \(try found.map { try number($0) }.sorted())"
      }
      let value = row.value(of: property, in: trial.schema.model)
      guard case .object(let reference) = value else { return "\(property.name): \(value)" }
      return "\(property.name): \(describe(reference, property))"
    }.joined(separator: ", ")
  }

  /// Returns a text with the number of a destination, or a fixed text if the number is unknown.
  private func describe(_ reference: ObjectReference, _ property: CompiledProperty) -> String {
    let model = trial.schema.model
    guard let index = property.relationship?.destinationIndex else { return "none" }
    let known = model.entities[index].subtree.lazy
      .compactMap { self.numbers[ObjectKey(entityIndex: $0, key: reference.key)] }.first
    return known.map { "object \($0)" } ?? "unknown object"
  }

  /// Returns a query whose object constants are converted from numbers to the store's references.
  private func translated(_ query: Query) -> Query {
    var query = query
    query.bindings = query.bindings.map(translated)
    return query
  }

  private func translated(_ value: Value) -> Value {
    switch value {
    case .object(let reference): ids[reference.key].map { trial.reference($0) } ?? .null
    case .list(let members): .list(members.map(translated))
    default: value
    }
  }
}
