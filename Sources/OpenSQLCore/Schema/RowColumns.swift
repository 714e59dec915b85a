import OpenObjectModel
import OpenStoreContract

/// The columns that a statement selects to pack complete rows, and the result columns of each
/// entity's slots.
package struct RowColumns: Sendable {
  /// The names of the columns after Z_PK, Z_OPT and, for several entities, Z_ENT.
  package private(set) var names: [String] = []
  /// The index of the result column with the entity number; nil if all rows are of one entity.
  package let entityColumn: Int?
  /// The indexes of the entities in the model.
  package let entityIndexes: Range<Int>
  /// The indexes of the result columns, by entity and slot.
  package private(set) var slots: [[Int]] = []

  package static let keyColumn = 0
  package static let versionColumn = 1

  init(of indexes: Range<Int>, in schema: SchemaMap) {
    entityIndexes = indexes
    entityColumn = indexes.count > 1 ? 2 : nil
    let first = indexes.count > 1 ? 3 : 2
    var positions: [String: Int] = [:]
    for index in indexes {
      var slots: [Int] = []
      for column in schema.entities[index].columns {
        let position = positions[column.name] ?? first + names.count
        if positions.updateValue(position, forKey: column.name) == nil {
          names.append(column.name)
        }
        slots.append(position)
      }
      self.slots.append(slots)
    }
  }

  /// Returns the list of columns to select from the source with an alias.
  func expressions(from alias: String) -> [SQLExpression] {
    let header = ["Z_PK", "Z_OPT"] + (entityColumn == nil ? [] : ["Z_ENT"])
    return (header + names).map { .column(table: alias, $0) }
  }
}

extension SchemaMap {
  /// Returns the columns that are necessary to pack rows of the given entities.
  package func rowColumns(of indexes: Range<Int>) -> RowColumns {
    RowColumns(of: indexes, in: self)
  }
}
