public import OpenObjectModel
package import OpenPredicates

extension ChangeSet {
  /// Returns the changes that the history records: first insertions, then updates, then deletions.
  ///
  /// Each change has the number 0 until the history assigns a number.
  ///
  /// - Parameter model: The model of the rows.
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
        if slot < slots.count { ordinals.insert(slots[slot].propertyOrdinal) }
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

extension Row {
  /// Returns the values that the history preserves when the row is deleted, keyed by the ordinal of
  /// the attribute; null values are omitted.
  ///
  /// - Parameter model: The model of the row.
  package func preservedValues(in model: CompiledModel) -> [Int: Value] {
    var values: [Int: Value] = [:]
    for property in model.entities[entityIndex].properties
    where property.attribute?.preservesValueInHistory == true {
      let value = value(of: property, in: model)
      if value != .null { values[property.ordinal] = value }
    }
    return values
  }
}

extension [ChangeSet.Touched] {
  /// Removes and returns the changed relationships of an object; the array must be sorted.
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
