import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Packs the rows of a result.
///
/// Confined to one read.
struct RowPacking {
  private let columns: RowColumns
  private let schema: SchemaMap
  private let place: String
  private(set) var writer: RowWriter

  /// Creates a packing of the rows of entities.
  ///
  /// - Parameters:
  ///   - indexes: The indexes of the entities in the model.
  ///   - capacity: The size of the first chunk in bytes.
  init(_ indexes: Range<Int>, of store: PostgresStore, capacity: Int = 16 << 10) {
    columns = store.rowColumns(of: indexes)
    schema = store.schema
    place = store.pool.settings.description
    writer = RowWriter(capacity: capacity)
  }

  /// Packs one row of a result and returns it.
  mutating func pack(_ result: PostgresResult, _ row: Int) throws(StoreError) -> Row {
    var index = columns.entityIndexes.lowerBound
    if let column = columns.entityColumn {
      index = schema.numbers.index(of: result.integer(row, column))
      guard columns.entityIndexes.contains(index) else {
        throw StoreError(
          .corrupt, "A row has an entity number that does not exist in the model.", path: place)
      }
    }
    let entity = schema.model.entities[index]
    writer.beginRow(of: entity)
    let translated = schema.translatedSlots[index]
    let slots = columns.slots[index - columns.entityIndexes.lowerBound]
    for (slot, column) in slots.enumerated() where !result.isNull(row, column) {
      if !translated.isEmpty, translated.contains(slot) {
        let number = Int64(schema.numbers.index(of: result.integer(row, column))) + 1
        writer.put(number, slot, of: entity)
        continue
      }
      switch entity.slots[slot].kind {
      case .integer, .real: writer.put(result.integer(row, column), slot, of: entity)
      case .blob: writer.put(UnsafeRawBufferPointer(result.bytes(row, column)), slot, of: entity)
      case .text:
        let bytes = result.bytes(row, column)
        if TextCoding.isConverted(bytes) {
          writer.put(.text(TextCoding.decoded(bytes)), slot, of: entity)
        } else {
          writer.put(UnsafeRawBufferPointer(bytes), slot, of: entity)
        }
      case .decimal: writer.put(result.content(row, column), slot, of: entity)
      }
    }
    return writer.finishRow(
      of: entity, key: result.integer(row, RowColumns.keyColumn),
      version: result.integer(row, RowColumns.versionColumn))
  }
}
