import COpenSQLite
import COpenSupport
import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// The search for values that are not of the type of their property.
///
/// A column of SQLite can contain values of any type. Reads of such values throw an error. Invalid
/// UTF-8 is read as nil, and makes saves throw.
extension DamageSearch {
  /// A column of a property's values.
  private struct TypedColumn {
    let property: CompiledProperty
    /// The entities that have the property, as positions in the model.
    let entities: Range<Int>
    let column: SlotColumn

    /// The SQL expression to select: the value, or only its type if it may be long data.
    var expression: String {
      let name = SQLiteDialect().quoted(column.name)
      return selectsType ? "typeof(\(name))" : name
    }

    private var selectsType: Bool { column.kind == .blob && !column.isUUID }

    /// Returns a description of the value in a row, if the property cannot have the value.
    func mismatch(in row: Statement, at index: Int) -> String? {
      if selectsType {
        let type = row.text(index)
        return type == "blob" || type == "null" ? nil : type
      }
      let value = sqlite3_column_value(row.pointer, Int32(index))
      let type = sqlite3_value_type(value)
      if type == SQLITE_NULL { return nil }
      if ocd_fits(value, column.readKind) == 0 { return description(of: value, type) }
      switch property.attribute?.type {
      case .string, .uri: return mismatch(inText: row, at: index)
      case .decimal where type == SQLITE_FLOAT:
        return Decimal(string: "\(sqlite3_value_double(value))") == nil ? "real" : nil
      default: return nil
      }
    }

    private func mismatch(inText row: Statement, at index: Int) -> String? {
      guard let text = row.validText(index) else { return "text (invalid UTF-8)" }
      let isURL = property.attribute?.type != .uri || URL(string: text) != nil
      return isURL ? nil : "text (not a URL)"
    }

    private func description(of value: OpaquePointer?, _ type: Int32) -> String {
      switch type {
      case SQLITE_INTEGER: "integer"
      case SQLITE_FLOAT: "real"
      case SQLITE_TEXT: "text"
      default: column.isUUID ? "blob (\(sqlite3_value_bytes(value)) bytes)" : "blob"
      }
    }
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
          guard column.entities.contains(entityIndex),
            let mismatch = column.mismatch(in: row, at: position + 2)
          else { continue }
          found.append(
            StoreDamage(
              .wrongType, entityIndex: entityIndex, propertyName: column.property.name,
              key: row.integer(0), detail: mismatch))
        }
      }
    }
    return found
  }

  /// Returns the columns of the stored properties that an entity declares itself. Derived
  /// attributes are omitted, because the store computes their values.
  private func typedColumns(of map: EntityMap) -> [TypedColumn] {
    zip(map.entity.slots, map.columns).compactMap { slot, column in
      let property = map.entity.properties[slot.propertyOrdinal]
      guard property.declaringEntityIndex == map.entity.index, !slot.isDerived else { return nil }
      return TypedColumn(property: property, entities: map.entity.subtree, column: column)
    }
  }

  /// Returns a statement that selects the key, the entity's number, and each column of all rows.
  private static func sql(for columns: ArraySlice<TypedColumn>, in table: String) -> String {
    "SELECT Z_PK, Z_ENT, \(columns.map(\.expression).joined(separator: ", ")) "
      + "FROM \(SQLiteDialect().quoted(table)) ORDER BY Z_PK"
  }
}
