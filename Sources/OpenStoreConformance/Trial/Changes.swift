import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// An object to insert, with values by attribute name and destinations by to-one relationship name.
struct NewObject: Sendable {
  var values: [String: Value]
  var toOne: [String: ObjectKey]

  init(_ values: [String: Value], toOne: [String: ObjectKey] = [:]) {
    self.values = values
    self.toOne = toOne
  }
}

/// A change set that is built by property names.
struct Changes {
  private(set) var set = ChangeSet()
  private let schema: ConformanceSchema
  private var writer = RowWriter(capacity: 4 << 10)

  init(schema: ConformanceSchema) { self.schema = schema }

  mutating func insert(_ id: ObjectKey, _ object: NewObject) throws {
    let entity = schema.model.entities[Int(id.entityIndex)]
    let slots = try slotValues(object, of: entity)
    set.inserted.append(
      writer.row(of: entity, key: id.key, version: 1, over: nil, values: slots))
  }

  /// Changes values and destinations of a row. A nil destination clears the relationship.
  mutating func update(
    _ row: Row, _ values: [String: Value] = [:], toOne: [String: ObjectKey?] = [:],
    expecting version: Int64? = nil
  ) throws {
    let entity = schema.model.entities[row.entityIndex]
    var slots = try slotValues(NewObject(values, toOne: toOne.compactMapValues { $0 }), of: entity)
    for (name, destination) in toOne where destination == nil {
      slots += try emptySlots(of: name, entity)
    }
    let new = writer.row(
      of: entity, key: row.key, version: row.version + 1, over: row.view, values: slots)
    set.updated.append(
      ChangeSet.Update(
        row: new, slots: OrdinalSet(slots.map(\.slot)), expectedVersion: version ?? row.version))
  }

  /// Requires that the stored row has the version of the given row, without writing the row.
  mutating func expect(_ row: Row) {
    set.unchanged.append(
      ChangeSet.Expectation(
        id: ObjectKey(entityIndex: row.entityIndex, key: row.key), version: row.version))
  }

  mutating func delete(_ row: Row, expecting version: Int64? = nil) {
    let id = ObjectKey(entityIndex: row.entityIndex, key: row.key)
    delete(id, expecting: version ?? row.version)
  }

  mutating func delete(_ id: ObjectKey, expecting version: Int64) {
    set.deleted.append(ChangeSet.Deletion(id: id, expectedVersion: version))
  }

  /// Adds or removes a join row between two objects, for a relationship of the first object's
  /// entity.
  mutating func link(
    _ source: ObjectKey, _ name: String, _ destination: ObjectKey, isAdded: Bool = true
  ) throws {
    let entity = schema.model.entities[Int(source.entityIndex)]
    let property = try schema.property(name, of: entity)
    set.joinRows.append(
      ChangeSet.JoinRow(
        entityIndex: property.declaringEntityIndex, ordinal: property.ordinal, source: source,
        destination: destination, isAdded: isAdded))
  }

  /// Requires rows to exist, without writing them.
  mutating func refer(to ids: [ObjectKey]) { set.referenced += ids }

  mutating func set(metadata: StoreMetadata) { set.metadata = metadata }

  private func slotValues(
    _ object: NewObject, of entity: CompiledEntity
  ) throws -> [SlotValue] {
    try object.values.map { try slotValue($0.key, $0.value, of: entity) }
      + object.toOne.flatMap { try destinationSlots($0.key, $0.value, of: entity) }
  }

  private func slotValue(
    _ name: String, _ value: Value, of entity: CompiledEntity
  ) throws -> SlotValue {
    let slot = try require(try schema.property(name, of: entity).slot, "Slot of \(name)")
    let content = try require(
      SlotContent(value, as: entity.slots[slot].kind), "Content of \(name) for \(value)")
    return SlotValue(slot: slot, content: content)
  }

  private func destinationSlots(
    _ name: String, _ destination: ObjectKey, of entity: CompiledEntity
  ) throws -> [SlotValue] {
    let property = try schema.property(name, of: entity)
    let slot = try require(property.slot, "Slot of \(name)")
    let key = SlotValue(slot: slot, content: .integer(destination.key))
    guard let discriminator = property.relationship?.discriminatorSlot else { return [key] }
    let number = Int64(destination.entityIndex) + 1
    return [key, SlotValue(slot: discriminator, content: .integer(number))]
  }

  private func emptySlots(of name: String, _ entity: CompiledEntity) throws -> [SlotValue] {
    let property = try schema.property(name, of: entity)
    return [property.slot, property.relationship?.discriminatorSlot].compactMap { $0 }
      .map { SlotValue(slot: $0, content: .null) }
  }
}
