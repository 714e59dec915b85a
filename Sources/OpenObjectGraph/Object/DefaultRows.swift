internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract
internal import Synchronization

/// Each entity's row of default values: what a new object reads where nothing was set.
enum DefaultRows {
  private static let rows = Mutex<[Row?]>([])

  /// The row of an entity; made on first use.
  static func row(of entity: CompiledEntity) -> Row {
    let position = Int(entity.token)
    return rows.withLock { rows in
      if position < rows.count, let row = rows[position] { return row }
      while rows.count <= position { rows.append(nil) }
      let row = make(entity)
      rows[position] = row
      return row
    }
  }

  /// A row of an entity without any value; for objects whose row is gone.
  static func emptyRow(of entity: CompiledEntity) -> Row {
    var writer = RowWriter(capacity: 256)
    return writer.row(of: entity, key: 0, version: 0, over: nil, values: [])
  }

  private static func make(_ entity: CompiledEntity) -> Row {
    var values: [SlotValue] = []
    for property in entity.properties {
      guard let slot = property.slot, let attribute = property.attribute,
        attribute.defaultValue != .null,
        let content = SlotContent(attribute.defaultValue, as: entity.slots[slot].kind)
      else { continue }
      values.append(SlotValue(slot: slot, content: content))
    }
    var writer = RowWriter(capacity: 256)
    return writer.row(of: entity, key: 0, version: 0, over: nil, values: values)
  }
}
