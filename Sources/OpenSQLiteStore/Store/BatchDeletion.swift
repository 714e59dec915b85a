import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Deletes rows without loading them, and does to other rows what the delete rules say.
///
/// Confined to one transaction.
struct BatchDeletion {
  private let store: SQLiteStore
  private let connection: Connection
  private var order: [ObjectKey] = []
  private var doomed: Set<ObjectKey> = []
  private var denials: [(property: CompiledProperty, destinations: [ObjectKey])] = []

  init(store: SQLiteStore, connection: Connection) {
    self.store = store
    self.connection = connection
  }

  /// Deletes rows and those that cascade from them, and returns the keys of all.
  ///
  /// - Throws: `StoreError` with code `.constraintConflict` when a rule denies the deletion.
  mutating func delete(_ keys: [ObjectKey]) throws(StoreError) -> [ObjectKey] {
    doom(keys)
    var next = 0
    while next < order.count {
      try applyReachingRules(of: order[next])
      next += 1
    }
    try checkDenials()
    for id in order { try remove(id) }
    return order
  }

  private mutating func doom(_ keys: [ObjectKey]) {
    for id in keys where doomed.insert(id).inserted { order.append(id) }
  }

  /// Follows the relationships whose rule asks for the destinations.
  private mutating func applyReachingRules(of id: ObjectKey) throws(StoreError) {
    let entity = store.model.entities[Int(id.entityIndex)]
    for property in entity.properties where !property.isTransient {
      guard let relationship = property.relationship else { continue }
      switch relationship.deleteRule {
      case .noAction, .nullify: continue
      case .cascade: doom(try destinations(of: property, relationship, from: id))
      case .deny:
        denials.append((property, try destinations(of: property, relationship, from: id)))
      }
    }
  }

  private func destinations(
    of property: CompiledProperty, _ relationship: CompiledRelationship, from id: ObjectKey
  ) throws(StoreError) -> [ObjectKey] {
    let entity = store.model.entities[Int(id.entityIndex)]
    guard !relationship.isToMany else {
      return try store.destinations(
        of: property, in: entity, sources: [id.key], on: connection)[0]
    }
    guard let slot = property.slot else { return [] }
    let map = store.schema.entities[entity.index]
    let column = map.columns[slot].name
    let destination = store.schema.entities[relationship.destinationIndex]
    var found: [ObjectKey] = []
    let sql = store.fetches.destination(over: column, of: map, in: destination)
    try connection.forEachRow(sql, [.integer(id.key)]) { statement in
      guard let index = store.model.entityIndex(numbered: statement.integer(1)) else { return }
      found.append(ObjectKey(entityIndex: index, key: statement.integer(0)))
    }
    return found
  }

  private func checkDenials() throws(StoreError) {
    for denial in denials where denial.destinations.contains(where: { !doomed.contains($0) }) {
      throw StoreError(
        .constraintConflict, "A delete rule denies the deletion: delete the destinations first.",
        entityName: store.model.entities[denial.property.declaringEntityIndex].name,
        propertyName: denial.property.name)
    }
  }

  private func remove(_ id: ObjectKey) throws(StoreError) {
    let entity = store.model.entities[Int(id.entityIndex)]
    for property in entity.properties where !property.isTransient {
      guard let relationship = property.relationship, relationship.deleteRule == .nullify else {
        continue
      }
      try nullify(relationship, of: id)
    }
    try LinkWriter(store: store, connection: connection).removeAll(of: id.key, in: entity)
    let table = store.schema.entities[entity.index].table
    try connection.run(.deleteWhere(table, column: "Z_PK"), store.writes, id.key)
  }

  /// Empties the keys by which other rows point at a row.
  private func nullify(
    _ relationship: CompiledRelationship, of id: ObjectKey
  ) throws(StoreError) {
    guard let inverse = store.model.inverse(of: relationship), let slot = inverse.slot else {
      return
    }
    let map = store.schema.entities[relationship.destinationIndex]
    let companion = inverse.relationship?.companionSlot
    let columns = ([slot] + [companion].compactMap { $0 }).map { map.columns[$0].name }
    let clearing = WriteRequest.clear(
      columns, table: map.table, column: columns[0], raisesVersion: true)
    try connection.run(clearing, store.writes, id.key)
  }
}
