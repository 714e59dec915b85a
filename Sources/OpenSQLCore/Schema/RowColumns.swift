import OpenObjectModel
import OpenStoreContract

/// The columns that a statement selects to pack whole rows, and where each entity's slots find
/// theirs.
package struct RowColumns: Sendable {
  /// Columns after Z_PK, Z_OPT and, if there are several entities, Z_ENT.
  package private(set) var names: [String] = []
  /// Result column of the entity's number; nil when every row is of one entity.
  package let entityColumn: Int?
  /// The entities, as positions in the model.
  package let entityIndexes: Range<Int>
  /// Result columns by entity, then by slot.
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

  /// The select list, with every column of the given source.
  func expressions(from alias: String) -> [SQLExpression] {
    let header = ["Z_PK", "Z_OPT"] + (entityColumn == nil ? [] : ["Z_ENT"])
    return (header + names).map { .column(table: alias, $0) }
  }
}

extension SchemaMap {
  /// The columns that rows of the given entities need.
  package func rowColumns(of indexes: Range<Int>) -> RowColumns {
    RowColumns(of: indexes, in: self)
  }
}
