import OpenObjectModel
import OpenPredicates

extension BatchUpdate {
  /// Returns the change set that applies the update to rows.
  ///
  /// - Parameters:
  ///   - rows: The rows to update.
  ///   - snapshot: The rows of the store, from which new values are computed.
  /// - Throws: `StoreError` with code `.unsupportedPredicate` if a new value cannot be evaluated,
  ///   or with code `.unfitValue` if a new value does not fit its property or the row.
  package func changes(
    of rows: [Row], in snapshot: some RowSnapshot
  ) throws(StoreError) -> ChangeSet {
    var changes = ChangeSet()
    var writer = RowWriter()
    let slots = OrdinalSet(assignments.map(\.slot))
    for row in rows {
      let new = try writer.checkedRow(
        of: snapshot.model.entities[row.entityIndex], key: row.key, version: row.version &+ 1,
        over: row.view, values: try values(for: row, in: snapshot))
      changes.updated.append(
        ChangeSet.Update(row: new, slots: slots, expectedVersion: row.version))
    }
    return changes
  }

  private func values(
    for row: Row, in snapshot: some RowSnapshot
  ) throws(StoreError) -> [SlotValue] {
    let entity = plan.shape.entity
    let subject = StoredSubject(row: row, snapshot: snapshot)
    var values: [SlotValue] = []
    for assignment in assignments where entity.slots.indices.contains(assignment.slot) {
      let slot = entity.slots[assignment.slot]
      let value: Value
      do {
        value = Self.whole(
          try assignment.operand.evaluate(on: subject, bindings: plan.bindings), slot.kind)
      } catch {
        throw StoreError(
          .unsupportedPredicate, "A new value of the batch update cannot be evaluated.",
          entityName: entity.name, underlying: error)
      }
      guard slot.domain.accepts(value), let content = SlotContent(value, as: slot.kind) else {
        throw StoreError(
          .unfitValue, "A new value of the batch update does not fit its property.",
          entityName: entity.name)
      }
      values.append(SlotValue(slot: assignment.slot, content: content))
    }
    return values
  }

  /// Returns a number without its fraction for an integer column, and any other value unchanged.
  private static func whole(_ value: Value, _ kind: SlotKind) -> Value {
    guard kind == .integer else { return value }
    return switch value {
    case .double, .decimal: value.decoded(as: .integer64)
    default: value
    }
  }
}
