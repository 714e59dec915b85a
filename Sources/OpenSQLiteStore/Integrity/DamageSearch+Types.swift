import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// The search for values that do not have the type of their property.
///
/// A column of SQLite can contain values of any type. When a store reads such a value, SQLite
/// converts the value, for example text in the column of a number to 0.
extension DamageSearch {
  /// A property with the column of its values.
  private struct TypedColumn {
    let propertyName: String
    /// The entities that have the property, as positions in the model.
    let entities: Range<Int>
    /// The name of the column, quoted.
    let name: String
    /// SQLite's names of the types that the values may have.
    let types: [String]
  }

  /// The number of columns in one statement, far below SQLite's limits.
  private static let columnLimit = 100

  /// Returns the values of a wrong type in the table of a root entity.
  func wrongTypes(inTableOf root: EntityMap) throws(StoreError) -> [StoreDamage] {
    var found: [StoreDamage] = []
    let columns = root.tableEntities.flatMap { typedColumns(of: schema.entities[$0]) }
    for start in stride(from: 0, to: columns.count, by: Self.columnLimit) {
      let part = columns[start..<min(start + Self.columnLimit, columns.count)]
      try connection.forEachRow(Self.sql(for: part, in: root.table)) { row in
        let entityIndex = schema.numbers.index(of: row.integer(1))
        for (position, column) in part.enumerated() {
          guard column.entities.contains(entityIndex), let type = row.text(position + 2),
            !column.types.contains(type)
          else { continue }
          found.append(
            StoreDamage(
              .wrongType, entityIndex: entityIndex, propertyName: column.propertyName,
              key: row.integer(0), detail: type))
        }
      }
    }
    return found
  }

  /// Returns the columns of the stored properties that an entity declares itself. Derived
  /// attributes are omitted, because the store computes their values.
  private func typedColumns(of map: EntityMap) -> [TypedColumn] {
    map.entity.properties.compactMap { property in
      guard property.declaringEntityIndex == map.entity.index, !property.isTransient,
        property.attribute?.derivation == nil, let slot = property.slot
      else { return nil }
      return TypedColumn(
        propertyName: property.name, entities: map.entity.subtree,
        name: SQLiteDialect().quoted(map.columns[slot].name),
        types: ["null"] + map.columns[slot].nativeTypes)
    }
  }

  /// Returns a statement that selects the rows with values of a wrong type. The result contains the
  /// key, the entity's number, and the type of the value in each column.
  private static func sql(for columns: ArraySlice<TypedColumn>, in table: String) -> String {
    let types = columns.map { "typeof(\($0.name))" }
    let conditions = zip(types, columns).map { type, column in
      "\(type) NOT IN ('\(column.types.joined(separator: "', '"))')"
    }
    return "SELECT Z_PK, Z_ENT, \(types.joined(separator: ", ")) "
      + "FROM \(SQLiteDialect().quoted(table)) "
      + "WHERE \(conditions.joined(separator: " OR ")) ORDER BY Z_PK"
  }
}

extension SlotColumn {
  /// SQLite's names of the types that the column's values may have.
  ///
  /// A column of dates or decimal numbers stores a whole number as an integer.
  fileprivate var nativeTypes: [String] {
    if isTagged { return ["blob"] }
    return switch kind {
    case .integer: ["integer"]
    case .real: ["real", "integer"]
    case .decimal: ["real", "integer", "text"]
    case .text: ["text"]
    case .blob: ["blob"]
    }
  }
}
