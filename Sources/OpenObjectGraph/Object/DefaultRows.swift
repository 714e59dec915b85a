internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract
internal import Synchronization

/// A property that must have a value in the row, and nothing more.
struct RequiredValue: Sendable {
  let ordinal: Int
  let slot: Int

  /// - Returns: nil for a property whose value is elsewhere, or has to satisfy conditions.
  init?(_ property: CompiledProperty) {
    guard let slot = property.slot, property.validations.isEmpty,
      property.relationship?.isToMany != true
    else { return nil }
    ordinal = property.ordinal
    self.slot = slot
  }
}

/// Each entity's row of default values, what a new object reads where nothing was set, and its checked properties.
enum DefaultRows {
  /// Keeps what is worked out once for the entity that it belongs to.
  private final class Holder: Sendable {
    let row: Row
    /// A row without any value.
    let empty: Row
    let checked: [CompiledProperty]
    /// The checked properties, if all that is checked is whether they have values in the row; nil where more is.
    let required: [RequiredValue]?

    init(_ row: Row, empty: Row, _ checked: [CompiledProperty]) {
      self.row = row
      self.empty = empty
      self.checked = checked
      let required = checked.compactMap(RequiredValue.init)
      self.required = required.count == checked.count ? required : nil
    }
  }

  // Holders are kept with their entities, which are never released.

  @inline(__always)
  private static func holder(of entity: CompiledEntity) -> Unmanaged<Holder> {
    guard let address = entity.attachment.load(ordering: .acquiring) else {
      return makeHolder(entity)
    }
    return .fromOpaque(address)
  }

  /// The properties that validation has to look at.
  static func checkedProperties(of entity: CompiledEntity) -> [CompiledProperty] {
    holder(of: entity)._withUnsafeGuaranteedRef { $0.checked }
  }

  /// Calls a block with the properties that must have values; nil where validation has to look at more.
  @inline(__always)
  static func withRequiredValues<Outcome>(
    of entity: CompiledEntity, _ body: ([RequiredValue]?) -> Outcome
  ) -> Outcome {
    holder(of: entity)._withUnsafeGuaranteedRef { body($0.required) }
  }

  /// The row of an entity; made on first use and kept with the entity.
  @inline(__always)
  static func row(of entity: CompiledEntity) -> Row {
    holder(of: entity)._withUnsafeGuaranteedRef { $0.row }
  }

  /// Where the row of an entity is, which stays there.
  @inline(__always)
  static func base(of entity: CompiledEntity) -> UnsafeRawPointer {
    holder(of: entity)._withUnsafeGuaranteedRef { $0.row.base }
  }

  @inline(never)
  private static func makeHolder(_ entity: CompiledEntity) -> Unmanaged<Holder> {
    var writer = RowWriter(capacity: 2 * RowLayout.fixedSize(of: entity) + 1024)
    let empty = writer.row(of: entity, key: 0, version: 0, over: nil, values: [])
    let holder = Unmanaged.passRetained(
      Holder(make(entity, &writer), empty: empty, entity.makeCheckedProperties()))
    let (exchanged, known) = entity.attachment.compareExchange(
      expected: nil, desired: UnsafeRawPointer(holder.toOpaque()),
      ordering: .acquiringAndReleasing)
    guard !exchanged, let known else { return holder }
    holder.release()
    return .fromOpaque(known)
  }

  /// A row with default values and a version; a row inserted again continues counting.
  static func row(of entity: CompiledEntity, version: Int64) -> Row {
    if version == 0 { return row(of: entity) }
    var writer = RowWriter(capacity: 256)
    writer.beginRow(over: row(of: entity).view)
    return writer.finishRow(of: entity, key: 0, version: version)
  }

  /// Where a row without any value is, which stays there; for objects whose row was deleted or was not read.
  @inline(__always)
  static func emptyBase(of entity: CompiledEntity) -> UnsafeRawPointer {
    holder(of: entity)._withUnsafeGuaranteedRef { $0.empty.base }
  }

  private static func make(_ entity: CompiledEntity, _ writer: inout RowWriter) -> Row {
    var values: [SlotValue] = []
    for property in entity.properties {
      guard let slot = property.slot, let attribute = property.attribute,
        attribute.defaultValue != .null,
        let content = SlotContent(attribute.defaultValue, as: entity.slots[slot].kind)
      else { continue }
      values.append(SlotValue(slot: slot, content: content))
    }
    return writer.row(of: entity, key: 0, version: 0, over: nil, values: values)
  }
}
