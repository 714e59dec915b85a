public import OpenObjectModel

extension ChangeSet {
  /// The changes of the set as a history records them, apart from their numbers: insertions, updates,
  /// deletions.
  ///
  /// - Parameter model: The model whose positions the rows have.
  /// - Returns: The changes of the set as a history records them, apart from their numbers.
  public func historyChanges(of model: CompiledModel) -> [StoreHistoryChange] {
    func id(_ row: Row) -> ObjectKey { ObjectKey(entityIndex: row.entityIndex, key: row.key) }
    var touched = touched.sorted { $0.id < $1.id }
    var changes: [StoreHistoryChange] = []
    changes.reserveCapacity(inserted.count + updated.count + touched.count + deleted.count)
    for row in inserted {
      changes.append(StoreHistoryChange(number: 0, kind: .insert, id: id(row)))
    }
    for update in updated {
      let slots = model.entities[update.row.entityIndex].slots
      var ordinals = touched.takeRelationships(of: id(update.row))
      update.slots.forEach { slot in
        if slot < slots.count, let ordinal = slots[slot].propertyOrdinal {
          ordinals.insert(ordinal)
        }
      }
      changes.append(
        StoreHistoryChange(number: 0, kind: .update, id: id(update.row), updated: ordinals))
    }
    for object in touched where !object.relationships.isEmpty {
      changes.append(
        StoreHistoryChange(number: 0, kind: .update, id: object.id, updated: object.relationships))
    }
    for deletion in deleted {
      changes.append(StoreHistoryChange(number: 0, kind: .delete, id: deletion.id))
    }
    return changes
  }
}

extension [ChangeSet.Touched] {
  /// The changed relationships of an object, which has none left then; the objects must be sorted.
  fileprivate mutating func takeRelationships(of id: ObjectKey) -> OrdinalSet {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].id < id { low = middle + 1 } else { high = middle }
    }
    guard low < count, self[low].id == id else { return OrdinalSet() }
    defer { self[low].relationships = OrdinalSet() }
    return self[low].relationships
  }
}
