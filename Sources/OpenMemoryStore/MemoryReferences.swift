import OpenObjectModel
import OpenStoreContract

/// Finds the references to missing rows that a change set would cause: new references, and
/// references to rows that the change set deletes.
///
/// Confined to one commit.
struct MemoryReferences {
  /// The contents of the store before the change set is written.
  let snapshot: MemorySnapshot
  let changes: ChangeSet

  private var model: CompiledModel { snapshot.model }

  /// Returns the conflicts that prevent writing the change set.
  func conflicts() -> [StoreConflict] {
    if changes.referenced.isEmpty, changes.deleted.isEmpty { return [] }
    let deleted = Set(changes.deleted.map { identity($0.id) })
    return missing(without: deleted) + remaining(without: deleted)
  }

  /// A row, identified by its root entity and its key.
  private struct Identity: Hashable {
    let root: Int
    let key: Int64
  }

  private func identity(_ id: ObjectKey) -> Identity {
    Identity(root: model.entities[Int(id.entityIndex)].rootIndex, key: id.key)
  }

  private func missing(without deleted: Set<Identity>) -> [StoreConflict] {
    if changes.referenced.isEmpty { return [] }
    let inserted = Set(changes.inserted.map { identity($0.objectKey) })
    return changes.referenced.filter { id in
      let row = identity(id)
      if inserted.contains(row) { return false }
      return deleted.contains(row) || snapshot.state.tables[row.root]?[row.key] == nil
    }
    .map { .missingDestination(id: $0) }
  }

  /// Returns a conflict for each deleted row to which other rows still refer, unless the delete
  /// rule of the deleted row's relationship is No Action.
  private func remaining(without deleted: Set<Identity>) -> [StoreConflict] {
    let groups = Dictionary(grouping: changes.deleted) { Int($0.id.entityIndex) }
    let written = Set(changes.updated.map { identity($0.row.objectKey) })
    return groups.sorted { $0.key < $1.key }.flatMap { entityIndex, group in
      model.entities[entityIndex].properties.flatMap { property -> [StoreConflict] in
        guard let relationship = property.relationship, relationship.deleteRule != .noAction,
          let inverse = model.inverse(of: relationship), inverse.slot != nil
        else { return [] }
        let found = referring(
          relationship.destinationIndex, inverse, to: Set(group.map(\.id.key)), deleted, written)
        return group.compactMap { deletion in
          found[deletion.id.key].map {
            .remainingReferences(
              to: deletion.id, ordinal: property.ordinal, from: $0.sorted())
          }
        }
      }
    }
  }

  /// Returns the rows of an entity that refer to one of the keys after the change set is written,
  /// grouped by key.
  private func referring(
    _ entityIndex: Int, _ property: CompiledProperty, to keys: Set<Int64>,
    _ deleted: Set<Identity>, _ written: Set<Identity>
  ) -> [Int64: [ObjectKey]] {
    let entity = model.entities[entityIndex]
    var found: [Int64: [ObjectKey]] = [:]
    func look(at row: Row) {
      guard entity.subtree.contains(row.entityIndex), let slot = property.slot, !row.isNull(slot)
      else { return }
      let key = row.integer(at: property.byteOffset)
      if keys.contains(key) { found[key, default: []].append(row.objectKey) }
    }
    for key in keys {
      let stored = snapshot.rows(of: entityIndex, pointingAt: key, over: property).filter { row in
        let id = Identity(root: entity.rootIndex, key: row.key)
        return !deleted.contains(id) && !written.contains(id)
      }
      if !stored.isEmpty { found[key] = stored.map(\.objectKey) }
    }
    for row in changes.inserted { look(at: row) }
    for update in changes.updated { look(at: update.row) }
    return found
  }
}
