import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// How rows of some entities are packed: the result columns, and the values that they contain.
final class PackingPlan: Sendable {
  /// How the value of a column is put in a slot.
  struct Step {
    let column: Int
    let slot: Int
    let form: Form
  }

  enum Form {
    /// The eight bytes of an integer or a floating-point number.
    case number
    /// The number of an entity, which differs between the store and the model.
    case entityNumber
    case blob, text, decimal
  }

  let entityIndexes: Range<Int>
  /// The index of the result column with the entity number; nil if all rows are of one entity.
  let entityColumn: Int?
  /// The steps for a row, by entity.
  let steps: [[Step]]

  init(of indexes: Range<Int>, in schema: SchemaMap) {
    let columns = schema.rowColumns(of: indexes)
    entityIndexes = indexes
    entityColumn = columns.entityColumn
    steps = zip(indexes, columns.slots).map { index, slots in
      slots.enumerated().map { slot, column in
        let form: Form =
          switch schema.model.entities[index].slots[slot].kind {
          case _ where schema.translatedSlots[index].contains(slot): .entityNumber
          case .integer, .real: .number
          case .blob: .blob
          case .text: .text
          case .decimal: .decimal
          }
        return Step(column: column, slot: slot, form: form)
      }
    }
  }
}

/// Packs the rows of a result.
///
/// Confined to one read.
struct RowPacking {
  private let plan: PackingPlan
  private let schema: SchemaMap
  private let place: String
  private var writer: RowWriter
  /// Whether the types of the columns were checked, by entity.
  private var areChecked: [Bool]

  /// Creates a packing of the rows of entities.
  ///
  /// - Parameters:
  ///   - indexes: The indexes of the entities in the model.
  ///   - capacity: The size of the first chunk in bytes.
  init(_ indexes: Range<Int>, of store: PostgresStore, capacity: Int = 16 << 10) {
    plan = store.packingPlan(of: indexes)
    schema = store.schema
    place = store.pool.settings.description
    writer = RowWriter(capacity: capacity, retaining: .current)
    areChecked = Array(repeating: false, count: indexes.count)
  }

  /// Packs one row of a result and returns it.
  mutating func pack(_ result: PostgresResult, _ row: Int) throws(StoreError) -> Row {
    var index = plan.entityIndexes.lowerBound
    if let column = plan.entityColumn {
      index = schema.numbers.index(of: result.integer(row, column))
      guard plan.entityIndexes.contains(index) else {
        throw StoreError(
          .corrupt, "A row has an entity number that does not exist in the model.", path: place)
      }
    }
    let entity = schema.model.entities[index]
    let position = index - plan.entityIndexes.lowerBound
    let steps = plan.steps[position]
    if !areChecked[position] {
      try requireTypes(of: steps, in: result, entity)
      areChecked[position] = true
    }
    writer.beginRow(of: entity)
    for step in steps {
      let bytes = result.bytes(row, step.column)
      switch step.form {
      case .number where bytes.isEmpty, .entityNumber where bytes.isEmpty: continue
      case .number: writer.put(PostgresResult.integer(in: bytes), step.slot, of: entity)
      case .entityNumber:
        let number = schema.numbers.index(of: PostgresResult.integer(in: bytes)) + 1
        writer.put(Int64(number), step.slot, of: entity)
      // Only null and empty values have no bytes.
      case _ where bytes.isEmpty && result.isNull(row, step.column): continue
      case .blob: writer.put(UnsafeRawBufferPointer(bytes), step.slot, of: entity)
      case .text where TextCoding.isConverted(bytes):
        writer.put(.text(TextCoding.decoded(bytes)), step.slot, of: entity)
      case .text: writer.put(UnsafeRawBufferPointer(bytes), step.slot, of: entity)
      case .decimal:
        guard let text = NumericText.text(of: bytes) else {
          throw .unreadableValue(
            of: entity.properties[entity.slots[step.slot].propertyOrdinal], in: entity,
            row: result.integer(row, RowColumns.keyColumn), path: place)
        }
        writer.put(.text(text), step.slot, of: entity)
      }
    }
    return writer.finishRow(
      of: entity, key: result.integer(row, RowColumns.keyColumn),
      version: result.integer(row, RowColumns.versionColumn))
  }

  /// Requires that the values of columns can be read, because another program may have changed the
  /// types of the columns.
  private func requireTypes(
    of steps: [PackingPlan.Step], in result: PostgresResult, _ entity: CompiledEntity
  ) throws(StoreError) {
    for step in steps {
      let slot = entity.slots[step.slot]
      guard let type = result.type(of: step.column), type.contains(slot.kind) else {
        throw StoreError(
          .incompatibleSchema,
          "Another program changed the type of a column. Restore the type that the model requires.",
          path: place, entityName: entity.name,
          propertyName: entity.properties[slot.propertyOrdinal].name)
      }
    }
  }
}

extension PostgresType {
  /// Returns whether a column of this type can contain the values of a slot.
  fileprivate func contains(_ kind: SlotKind) -> Bool {
    switch self {
    case .smallint, .integer, .bigint: kind == .integer
    case .real: kind == .real
    case .text, .varchar, .character: kind == .text
    case .numeric: kind == .decimal
    case .data, .uuid: kind == .blob
    }
  }
}
