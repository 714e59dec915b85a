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
    let missing = changes.missingDestinations(in: model) { row in
      snapshot.state.tables[row.root]?[row.key] != nil
    }
    return missing + remaining()
  }

  /// Returns a conflict for each deleted row to which other rows still refer, unless the delete
  /// rule of the deleted row's relationship is No Action.
  private func remaining() -> [StoreConflict] {
    if changes.deleted.isEmpty { return [] }
    let written = Set(
      changes.deleted.map { model.identity(of: $0.id) }
        + changes.updated.map { model.identity(of: $0.row.objectKey) })
    return RemainingReference.all(to: changes.deleted, in: model).flatMap { reference in
      reference.conflicts(referring(reference, written))
    }
  }

  /// Returns the rows that refer to deleted rows after the change set is written, grouped by key.
  private func referring(
    _ reference: RemainingReference, _ written: Set<RowIdentity>
  ) -> [Int64: [ObjectKey]] {
    let (entityIndex, property) = (reference.entityIndex, reference.property)
    let entity = model.entities[entityIndex]
    let keys = Set(reference.ids.map(\.key))
    var found: [Int64: [ObjectKey]] = [:]
    func look(at row: Row) {
      guard entity.subtree.contains(row.entityIndex), let slot = property.slot, !row.isNull(slot)
      else { return }
      let key = row.integer(at: property.byteOffset)
      if keys.contains(key) { found[key, default: []].append(row.objectKey) }
    }
    for key in keys {
      let stored = snapshot.rows(of: entityIndex, pointingAt: key, over: property).filter { row in
        !written.contains(model.identity(of: row.objectKey))
      }
      if !stored.isEmpty { found[key] = stored.map(\.objectKey) }
    }
    for row in changes.inserted { look(at: row) }
    for update in changes.updated { look(at: update.row) }
    return found
  }
}
