internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract
internal import Synchronization

/// A property whose only requirement is a value in the row.
struct RequiredValue: Sendable {
  let ordinal: Int
  let slot: Int

  /// Creates the requirement; nil if the value is not in the row or must satisfy conditions.
  init?(_ property: CompiledProperty) {
    guard let slot = property.slot, property.validations.isEmpty,
      property.relationship?.isToMany != true
    else { return nil }
    ordinal = property.ordinal
    self.slot = slot
  }
}

/// The row of default values of each entity, and the properties to validate.
///
/// A new object reads unset properties from the row of default values.
enum DefaultRows {
  /// The rows and properties of one entity, stored with the entity.
  private final class Holder: Sendable {
    let row: Row
    /// A row without values.
    let empty: Row
    let checked: [CompiledProperty]
    /// The checked properties, if each of them only needs a value in the row; otherwise nil.
    let required: [RequiredValue]?

    init(_ row: Row, empty: Row, _ checked: [CompiledProperty]) {
      self.row = row
      self.empty = empty
      self.checked = checked
      let required = checked.compactMap(RequiredValue.init)
      self.required = required.count == checked.count ? required : nil
    }
  }

  // Holders are stored with their entities, which are never released.

  @inline(__always)
  private static func holder(of entity: CompiledEntity) -> Unmanaged<Holder> {
    guard let address = entity.attachment.load(ordering: .acquiring) else {
      return makeHolder(entity)
    }
    return .fromOpaque(address)
  }

  /// The properties that validation must check.
  static func checkedProperties(of entity: CompiledEntity) -> [CompiledProperty] {
    holder(of: entity)._withUnsafeGuaranteedRef { $0.checked }
  }

  /// Calls a closure with the properties that need a value, or with nil if validation must check
  /// more than the presence of values.
  @inline(__always)
  static func withRequiredValues<Outcome>(
    of entity: CompiledEntity, _ body: ([RequiredValue]?) -> Outcome
  ) -> Outcome {
    holder(of: entity)._withUnsafeGuaranteedRef { body($0.required) }
  }

  /// The row of default values of an entity, created on first use.
  @inline(__always)
  static func row(of entity: CompiledEntity) -> Row {
    holder(of: entity)._withUnsafeGuaranteedRef { $0.row }
  }

  /// The fixed address of an entity's row of default values.
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

  /// The row of an object that is inserted again: default values, the version of the former row,
  /// and the former values that cannot be decoded.
  ///
  /// The reinserted row continues to count versions. The values that can be decoded become edits.
  static func row(reinserting object: NSManagedObject) -> Row {
    let (entity, former) = (object.compiledEntity, object.row)
    let kept = RowValue.unreadableSlots(of: object)
    if former.version == 0, kept.isEmpty { return row(of: entity) }
    var writer = RowWriter(capacity: 256)
    writer.beginRow(over: row(of: entity).view, without: kept, of: entity)
    for slot in kept.members {
      writer.put(former.bytes(at: RowLayout.slot(slot, of: entity)), slot, of: entity)
    }
    return writer.finishRow(of: entity, key: 0, version: former.version)
  }

  /// The fixed address of a row without values, for objects whose row was deleted or not read.
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
