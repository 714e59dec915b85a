import OpenObjectModel
import OpenPredicates

/// Determines the effects of deleting rows in a batch request.
///
/// The delete rules may delete additional rows and nullify relationships of the remaining rows.
package struct DeletionEvaluation<Snapshot: RowSnapshot> {
  private let snapshot: Snapshot
  private var doomed: [ObjectKey: Row] = [:]
  private var order: [Row] = []
  private var denials: [(property: CompiledProperty, destinations: [Row])] = []
  private var nullified: [ObjectKey: (row: Row, properties: [CompiledProperty])] = [:]

  private init(snapshot: Snapshot) { self.snapshot = snapshot }

  /// Returns the change set that deletes rows and applies their delete rules.
  ///
  /// - Parameters:
  ///   - rows: The rows to delete.
  ///   - snapshot: The rows of the store, among which the delete rules find destinations and
  ///     references.
  /// - Throws: `StoreError` with code `.constraintConflict` if a delete rule denies the deletion or
  ///   a remaining row would lose a required destination; an error of the snapshot if its rows
  ///   cannot be read.
  package static func changes(
    deleting rows: [Row], in snapshot: Snapshot
  ) throws(StoreError) -> ChangeSet {
    var deletion = DeletionEvaluation(snapshot: snapshot)
    deletion.doom(rows)
    var next = 0
    while next < deletion.order.count {
      try deletion.applyRules(of: deletion.order[next])
      next += 1
    }
    try deletion.checkDenials()
    try deletion.checkMandatory()
    return deletion.changeSet()
  }

  private mutating func doom(_ rows: [Row]) {
    for row in rows where doomed.updateValue(row, forKey: row.objectKey) == nil {
      order.append(row)
    }
  }

  private mutating func applyRules(of row: Row) throws(StoreError) {
    for property in snapshot.model.entities[row.entityIndex].properties {
      guard let relationship = property.relationship else { continue }
      switch relationship.deleteRule {
      case .noAction: continue
      case .nullify: try nullify(relationship, of: row)
      case .cascade: doom(try destinations(of: property, from: row))
      case .deny: denials.append((property, try destinations(of: property, from: row)))
      }
    }
  }

  private func destinations(
    of property: CompiledProperty, from row: Row
  ) throws(StoreError) -> [Row] {
    if property.slot == nil { return try snapshot.destinations(of: property, source: row.key) }
    return try snapshot.destination(of: property, from: row).map { [$0] } ?? []
  }

  private mutating func nullify(
    _ relationship: CompiledRelationship, of row: Row
  ) throws(StoreError) {
    guard let inverse = snapshot.model.inverse(of: relationship), inverse.slot != nil else {
      return
    }
    let destination = relationship.destinationIndex
    for pointing in try snapshot.rows(of: destination, pointingAt: row.key, over: inverse) {
      nullified[pointing.objectKey, default: (pointing, [])].properties.append(inverse)
    }
  }

  private func checkDenials() throws(StoreError) {
    for denial in denials where denial.destinations.contains(where: { !isDoomed($0) }) {
      let entity = snapshot.model.entities[denial.property.declaringEntityIndex]
      throw StoreError(
        .constraintConflict, "A delete rule denies the deletion. Delete the destinations first.",
        entityName: entity.name, propertyName: denial.property.name,
        underlying: ForbiddenDeletion())
    }
  }

  /// Throws if a remaining row would lose a required destination.
  private func checkMandatory() throws(StoreError) {
    for (row, properties) in nullified.values where !isDoomed(row) {
      guard let property = properties.first(where: { !$0.isOptional }) else { continue }
      let entity = snapshot.model.entities[row.entityIndex]
      throw StoreError(
        .constraintConflict,
        "Constraint trigger violation: Batch delete failed due to mandatory OTO/OTM nullify inverse on "
          + "\(entity.name)/\(property.name). Delete those objects too, or make the relationship "
          + "optional.", entityName: entity.name, propertyName: property.name,
        underlying: ForbiddenDeletion())
    }
  }

  private func isDoomed(_ row: Row) -> Bool { doomed[row.objectKey] != nil }

  private func changeSet() -> ChangeSet {
    var changes = ChangeSet()
    var writer = RowWriter()
    changes.deleted = order.map {
      ChangeSet.Deletion(id: $0.objectKey, expectedVersion: $0.version)
    }
    for (row, properties) in nullified.values where !isDoomed(row) {
      let slots = properties.flatMap { [$0.slot, $0.relationship?.discriminatorSlot] }
        .compactMap { $0 }
      let new = writer.row(
        of: snapshot.model.entities[row.entityIndex], key: row.key, version: row.version &+ 1,
        over: row.view, values: slots.map { SlotValue(slot: $0, content: .null) })
      changes.updated.append(
        ChangeSet.Update(row: new, slots: OrdinalSet(slots), expectedVersion: row.version))
    }
    return changes
  }
}
