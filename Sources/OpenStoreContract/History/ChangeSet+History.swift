public import OpenObjectModel

extension ChangeSet {
  /// The changes of the set as a history records them, apart from their numbers: insertions, updates,
  /// deletions.
  ///
  /// - Parameter model: The model whose positions the rows have.
  public func historyChanges(of model: CompiledModel) -> [HistoryChange] {
    func id(_ row: Row) -> ObjectKey { ObjectKey(entityIndex: row.entityIndex, key: row.key) }
    var changed: [ObjectKey: OrdinalSet] = touched
    var changes: [HistoryChange] = []
    changes.reserveCapacity(inserted.count + updated.count + touched.count + deleted.count)
    for row in inserted { changes.append(HistoryChange(number: 0, kind: .insert, id: id(row))) }
    for update in updated {
      let slots = model.entities[update.row.entityIndex].slots
      var ordinals = changed.removeValue(forKey: id(update.row)) ?? OrdinalSet()
      update.slots.forEach { slot in
        if slot < slots.count, let ordinal = slots[slot].propertyOrdinal {
          ordinals.insert(ordinal)
        }
      }
      changes.append(
        HistoryChange(number: 0, kind: .update, id: id(update.row), updated: ordinals))
    }
    let rest = changed.sorted {
      ($0.key.entityIndex, $0.key.key) < ($1.key.entityIndex, $1.key.key)
    }
    for (id, ordinals) in rest {
      changes.append(HistoryChange(number: 0, kind: .update, id: id, updated: ordinals))
    }
    for deletion in deleted {
      changes.append(HistoryChange(number: 0, kind: .delete, id: deletion.id))
    }
    return changes
  }
}
