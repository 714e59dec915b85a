import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Deletes rows without loading them, and applies the delete rules to related rows.
///
/// Confined to one transaction.
struct BatchDeletion {
  private let store: SQLiteStore
  private let connection: Connection
  private var order: [ObjectKey] = []
  private var doomed: Set<ObjectKey> = []
  /// Remaining rows that lose a destination, with the ordinals of the relationships.
  private var nullified: [ObjectKey: OrdinalSet] = [:]
  private var denials: [(property: CompiledProperty, destinations: [ObjectKey])] = []

  init(store: SQLiteStore, connection: Connection) {
    self.store = store
    self.connection = connection
  }

  /// Deletes rows and the rows that cascade rules delete with them.
  ///
  /// - Parameter record: A closure that receives the changes while the rows still exist, and
  ///   returns the number of the transaction in the history.
  /// - Throws: `StoreError` with code `.constraintConflict` if a rule denies the deletion, or if an
  ///   object would lose a required destination.
  mutating func delete(
    _ keys: [ObjectKey],
    recording record: ([StoreHistoryChange]) throws(StoreError) -> Int64?
  ) throws(StoreError) -> BatchOutcome {
    var reached = doom(keys)
    while !reached.isEmpty { reached = try applyReachingRules(of: reached) }
    try checkDenials()
    let groups = Dictionary(grouping: order, by: \.entityIndex)
      .sorted { $0.key < $1.key }
      .map {
        (entity: store.model.entities[Int($0.key)], ids: $0.value, keys: Self.list(of: $0.value))
      }
    for group in groups { try nullify(group.keys, of: group.entity) }
    var outcome = BatchOutcome()
    outcome.updated = nullified.keys.sorted()
    outcome.deleted = order
    outcome.transaction = try record(changes(updating: outcome.updated, groups.flatMap(\.ids)))
    for group in groups { try remove(group.keys, of: group.entity) }
    return outcome
  }

  /// Returns whether rows of an entity can be deleted without reading other rows: no delete rule
  /// requires reading, and no row refers to them.
  func isAlone(_ entity: CompiledEntity) -> Bool {
    let touches = entity.properties.contains { property in
      switch property.relationship?.deleteRule {
      case .cascade, .deny: !property.isTransient
      case .nullify: clearedInverse(of: property) != nil
      case .noAction, nil: false
      }
    }
    return !touches && ownedRequests(of: entity).isEmpty
  }

  /// Returns keys as a JSON array.
  private static func list(of keys: [ObjectKey]) -> SlotContent {
    .text("[" + keys.map { String($0.key) }.joined(separator: ",") + "]")
  }

  /// Returns the changes for the history. Changes that one statement can record are consecutive.
  private func changes(
    updating updated: [ObjectKey], _ deleted: [ObjectKey]
  ) -> [StoreHistoryChange] {
    let updates = updated.map {
      StoreHistoryChange(number: 0, kind: .update, id: $0, updated: nullified[$0] ?? OrdinalSet())
    }
    let groups = Dictionary(grouping: updates, by: \.updated).values
      .sorted { $0[0].id < $1[0].id }
    return groups.flatMap { $0 }
      + deleted.map { StoreHistoryChange(number: 0, kind: .delete, id: $0) }
  }

  /// Adds rows to the deletion, and returns those of them that it did not contain before.
  private mutating func doom(_ keys: [ObjectKey]) -> [ObjectKey] {
    let added = keys.filter { doomed.insert($0).inserted }
    order += added
    return added
  }

  /// Follows the relationships whose delete rule affects their destinations, with one statement for
  /// each relationship of an entity.
  ///
  /// - Returns: The rows that cascade rules added to the deletion.
  private mutating func applyReachingRules(
    of ids: [ObjectKey]
  ) throws(StoreError) -> [ObjectKey] {
    var added: [ObjectKey] = []
    let groups = Dictionary(grouping: ids, by: \.entityIndex).sorted { $0.key < $1.key }
    for (entityIndex, ids) in groups {
      let entity = store.model.entities[Int(entityIndex)]
      for property in entity.properties where !property.isTransient {
        guard let relationship = property.relationship else { continue }
        switch relationship.deleteRule {
        case .noAction, .nullify: continue
        case .cascade: added += doom(try destinations(of: property, relationship, entity, ids))
        case .deny:
          denials.append((property, try destinations(of: property, relationship, entity, ids)))
        }
      }
    }
    return added
  }

  private func destinations(
    of property: CompiledProperty, _ relationship: CompiledRelationship, _ entity: CompiledEntity,
    _ ids: [ObjectKey]
  ) throws(StoreError) -> [ObjectKey] {
    guard let lookUp = lookUp(of: property, relationship, in: entity) else { return [] }
    let destination = store.model.entities[relationship.destinationIndex]
    var found: [ObjectKey] = []
    try connection.look(up: ids.map(\.key), by: lookUp, store.fetches) {
      (statement) throws(StoreError) in
      found.append(try store.destinationKey(in: statement, of: destination, on: connection))
    }
    return found
  }

  /// Returns the statement that finds the destinations of rows.
  private func lookUp(
    of property: CompiledProperty, _ relationship: CompiledRelationship, in entity: CompiledEntity
  ) -> KeyLookUp? {
    let destination = store.schema.entities[relationship.destinationIndex].table
    switch store.schema.storage(of: property) {
    case .foreignKey(let key): return .referringRows(table: key.table, column: key.column)
    case .join(let side):
      return .destinationRows(
        table: side.table, from: side.source, to: side.destination, destination: destination)
    case nil:
      let map = store.schema.entities[entity.index]
      return property.slot.map {
        .destinationRows(
          table: map.table, from: "Z_PK", to: map.columns[$0].name, destination: destination)
      }
    }
  }

  private func checkDenials() throws(StoreError) {
    for denial in denials where denial.destinations.contains(where: { !doomed.contains($0) }) {
      throw StoreError(
        .constraintConflict, "A delete rule denies the deletion. Delete the destinations first.",
        entityName: store.model.entities[denial.property.declaringEntityIndex].name,
        propertyName: denial.property.name, underlying: ForbiddenDeletion())
    }
  }

  /// Clears the foreign keys by which other rows refer to rows of an entity.
  private mutating func nullify(
    _ keys: SlotContent, of entity: CompiledEntity
  ) throws(StoreError) {
    for property in entity.properties {
      guard let relationship = property.relationship,
        let (inverse, slot) = clearedInverse(of: property)
      else { continue }
      let map = store.schema.entities[relationship.destinationIndex]
      let discriminator = inverse.relationship?.discriminatorSlot
      let columns = ([slot] + [discriminator].compactMap { $0 }).map { map.columns[$0].name }
      let clearing = WriteRequest.clearMembers(
        columns, table: map.table, column: columns[0], raisesVersion: true)
      let left = try clear(clearing, keys)
      if !left.isEmpty, !inverse.isOptional { throw Self.violation(inverse, map.entity) }
      for id in left { nullified[id, default: OrdinalSet()].insert(inverse.ordinal) }
    }
  }

  /// Returns the relationship by which other rows refer to the source of a nullifying relationship,
  /// and its slot.
  private func clearedInverse(
    of property: CompiledProperty
  ) -> (inverse: CompiledProperty, slot: Int)? {
    guard let relationship = property.relationship, !property.isTransient,
      relationship.deleteRule == .nullify,
      let inverse = store.model.inverse(of: relationship), let slot = inverse.slot
    else { return nil }
    return (inverse, slot)
  }

  /// Runs a statement that clears columns, and returns the remaining rows.
  private func clear(
    _ request: WriteRequest, _ keys: SlotContent
  ) throws(StoreError) -> [ObjectKey] {
    var changed: [ObjectKey] = []
    try connection.forEachRow(store.writes.text(of: request), [keys]) { statement in
      guard let index = store.model.entityIndex(numbered: statement.integer(1)) else { return }
      changed.append(ObjectKey(entityIndex: index, key: statement.integer(0)))
    }
    return changed.filter { !doomed.contains($0) }
  }

  private static func violation(
    _ property: CompiledProperty, _ entity: CompiledEntity
  ) -> StoreError {
    StoreError(
      .constraintConflict,
      "Constraint trigger violation: Batch delete failed due to mandatory OTO/OTM nullify inverse on "
        + "\(entity.name)/\(property.name). Delete those objects too, or make the relationship optional.",
      entityName: entity.name, propertyName: property.name, underlying: ForbiddenDeletion())
  }

  /// Deletes rows of an entity and their join rows, and clears the hidden columns of other rows
  /// that refer to them.
  private func remove(_ keys: SlotContent, of entity: CompiledEntity) throws(StoreError) {
    for request in ownedRequests(of: entity) { try run(request, keys) }
    try run(.deleteMembers(store.schema.entities[entity.index].table, column: "Z_PK"), keys)
  }

  /// Returns the requests that clear hidden columns of members and delete the join rows of an
  /// entity's rows.
  private func ownedRequests(of entity: CompiledEntity) -> [WriteRequest] {
    store.schema.ownedStorage(of: entity).flatMap { storage -> [WriteRequest] in
      switch storage {
      case .foreignKey(let hidden) where hidden.isHidden:
        return [
          .clearMembers(
            [hidden.column], table: hidden.table, column: hidden.column, raisesVersion: false)
        ]
      case .foreignKey: return []
      case .join(let side):
        let columns = side.isReflexive ? [side.source, side.destination] : [side.source]
        return columns.map { .deleteMembers(side.table, column: $0) }
      }
    }
  }

  private func run(_ request: WriteRequest, _ keys: SlotContent) throws(StoreError) {
    try connection.run(store.writes.text(of: request), [keys])
  }
}
