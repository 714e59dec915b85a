import COpenSQLite
import COpenSupport
import Foundation
import OpenObjectModel
import OpenSQLCore

/// The layout by which C code packs the columns of a statement into rows.
///
/// Immutable and confined to its connection.
final class RowPlan {
  private let slots: UnsafeMutablePointer<ocd_slot>
  private let entities: UnsafeMutablePointer<ocd_entity_plan>
  private let plan: UnsafeMutablePointer<ocd_row_plan>

  /// The plan, which is valid during the lifetime of this object.
  var pointer: UnsafePointer<ocd_row_plan> { UnsafePointer(plan) }

  /// The folder of external values as a C string.
  private let folder: UnsafeMutablePointer<CChar>?
  private let schema: SchemaMap

  init(_ columns: RowColumns, schema: SchemaMap, externalFolder: String?) {
    self.schema = schema
    folder = externalFolder.map { strdup($0) } ?? nil
    let indexes = columns.entityIndexes
    // One more than needed, so that an entity without slots has an address too.
    slots = .allocate(capacity: columns.slots.reduce(1) { $0 + $1.count })
    entities = .allocate(capacity: indexes.count)
    plan = .allocate(capacity: 1)
    var next = slots
    for (position, index) in indexes.enumerated() {
      let map = schema.entities[index]
      let count = map.columns.count
      for slot in 0..<count {
        (next + slot).initialize(
          to: ocd_slot(
            column: Int32(columns.slots[position][slot]), kind: map.columns[slot].readKind,
            usual_type: map.entity.slots[slot].isDerived
              ? Int32(OCD_ANY_TYPE) : map.columns[slot].usualType))
      }
      (entities + position).initialize(
        to: ocd_entity_plan(
          entity_index: UInt32(index), slot_count: UInt32(count),
          null_words: UInt32(map.entity.nullWordCount), slots: next))
      next += count
    }
    plan.initialize(
      to: ocd_row_plan(
        key_column: Int32(RowColumns.keyColumn), version_column: Int32(RowColumns.versionColumn),
        entity_column: Int32(columns.entityColumn ?? -1), entity_count: UInt32(indexes.count),
        first_entity: Int64(indexes.lowerBound) + 1, entities: entities,
        external_folder: folder))
  }

  deinit {
    plan.deallocate()
    entities.deallocate()
    slots.deallocate()
    free(folder)
  }

  /// Returns the name of the entity at whose row packing stopped.
  func entityName(_ index: UInt32) -> String { schema.entities[Int(index)].entity.name }

  /// Returns the entity and the property of a slot at which packing stopped.
  func property(
    ofSlot slot: UInt32, in entityIndex: UInt32
  ) -> (entity: CompiledEntity, property: CompiledProperty) {
    let entity = schema.entities[Int(entityIndex)].entity
    return (entity, entity.properties[entity.slots[Int(slot)].propertyOrdinal])
  }
}

extension SlotColumn {
  /// The kind of a value to write, as a constant of the C code.
  var packedKind: Int32 { isTagged ? Int32(OCD_TAGGED_BLOB) : Int32(kind.rawValue) }

  /// The kind of a value to read, as a constant of the C code.
  var readKind: Int32 { isUUID ? Int32(OCD_UUID) : packedKind }

  /// The type that SQLite reports for most values of the column. Values of other types are checked.
  var usualType: Int32 {
    if isUUID { return SQLITE_NULL }  // The length of each UUID is checked.
    return switch kind {
    case .integer, .decimal: SQLITE_INTEGER
    case .real: SQLITE_FLOAT
    case .text: SQLITE_TEXT
    case .blob: SQLITE_BLOB
    }
  }
}
