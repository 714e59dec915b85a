internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract
internal import Synchronization

/// Each entity's row of default values, what a new object reads where nothing was set, and its checked properties.
enum DefaultRows {
  /// Keeps what is worked out once for the entity that it belongs to.
  private final class Holder: Sendable {
    let row: Row
    let checked: [CompiledProperty]

    init(_ row: Row, _ checked: [CompiledProperty]) {
      self.row = row
      self.checked = checked
    }
  }

  /// The properties that validation has to look at.
  static func checkedProperties(of entity: CompiledEntity) -> [CompiledProperty] {
    _ = row(of: entity)
    guard let address = entity.attachment.load(ordering: .acquiring) else { return [] }
    return Unmanaged<Holder>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.checked }
  }

  /// Whether validation has to look at any property.
  @inline(__always)
  static func hasCheckedProperties(_ entity: CompiledEntity) -> Bool {
    guard let address = entity.attachment.load(ordering: .acquiring) else {
      return !checkedProperties(of: entity).isEmpty
    }
    return Unmanaged<Holder>.fromOpaque(address)._withUnsafeGuaranteedRef { !$0.checked.isEmpty }
  }

  /// The row of an entity; made on first use and kept with the entity.
  @inline(__always)
  static func row(of entity: CompiledEntity) -> Row {
    guard let address = entity.attachment.load(ordering: .acquiring) else {
      return makeKept(entity)
    }
    return Unmanaged<Holder>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.row }
  }

  @inline(never)
  private static func makeKept(_ entity: CompiledEntity) -> Row {
    let holder = Holder(make(entity), entity.makeCheckedProperties())
    let address = UnsafeRawPointer(Unmanaged.passRetained(holder).toOpaque())
    let (exchanged, _) = entity.attachment.compareExchange(
      expected: nil, desired: address, ordering: .acquiringAndReleasing)
    if exchanged { return holder.row }
    Unmanaged<Holder>.fromOpaque(address).release()
    return row(of: entity)
  }

  /// A row with default values and a version; a row inserted again goes on counting.
  static func row(of entity: CompiledEntity, version: Int64) -> Row {
    if version == 0 { return row(of: entity) }
    var writer = RowWriter(capacity: 256)
    writer.beginRow(over: row(of: entity).view)
    return writer.finishRow(of: entity, key: 0, version: version)
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
