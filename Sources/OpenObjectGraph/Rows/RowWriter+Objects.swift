internal import OpenObjectModel
internal import OpenStoreContract

extension RowWriter {
  /// Packs an object's current values, including unsaved values, under its current key.
  mutating func row(of object: NSManagedObject) throws(StoreError) -> Row {
    try row(of: object, version: object.row.version)
  }

  /// Packs an object's current values as a row with a version.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - version: The version of the row.
  ///   - visit: A closure that is called with each unsaved value and its ordinal before the value
  ///     is packed.
  @inline(__always)
  mutating func row(
    of object: NSManagedObject, version: Int64,
    _ visit: (_ edit: borrowing EditValue, _ ordinal: Int) -> Void = { _, _ in }
  ) throws(StoreError) -> Row {
    try borrowing(object.compiledEntity) { (entity) throws(StoreError) in
      try row(of: object, entity, version: version, visit)
    }
  }

  @inline(__always)
  private mutating func row(
    of object: NSManagedObject, _ entity: CompiledEntity, version: Int64,
    _ visit: (_ edit: borrowing EditValue, _ ordinal: Int) -> Void
  ) throws(StoreError) -> Row {
    beginRow(over: object.view)
    try object.edits.forEachBorrowed { (ordinal, edit) throws(StoreError) in
      visit(edit, ordinal)
      try put(edit, ordinal, of: entity)
      if let discriminator = entity.properties[ordinal].relationship?.discriminatorSlot {
        put(edit.discriminator, discriminator, of: entity)
      }
    }
    return finishRow(of: entity, key: object.key, version: version)
  }

  /// Writes an unsaved value into the current row if its property has a column.
  @inline(__always)
  mutating func put(
    _ edit: EditValue, _ ordinal: Int, of entity: CompiledEntity
  ) throws(StoreError) {
    let slot = entity.slotPositions[ordinal]
    guard slot >= 0 else { return }
    switch edit {
    case .value(let value):
      if !put(value, slot, of: entity) { throw EditValue.unfit(ordinal, of: entity) }
    case .object(let object): put(object.key, slot, of: entity)
    case .boxed:
      let isPlaced = place(try edit.content(ordinal, of: entity), slot, of: entity)
      if !isPlaced { throw EditValue.unfit(ordinal, of: entity) }
    }
  }
}
