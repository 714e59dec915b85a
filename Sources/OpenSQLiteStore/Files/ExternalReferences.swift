import COpenSQLite
import COpenSupport
import Foundation
import OpenSQLCore
import OpenStoreContract

/// Finds the names of external files in the rows of a database.
struct ExternalReferences {
  /// A column that may refer to files.
  struct Column: Hashable {
    var table: String
    var name: String
  }

  /// A reference in a row.
  struct Place {
    var column: Column
    var row: Int64
    var fileName: String
  }

  /// The tables whose values do not belong to objects.
  private static let systemTables: Set<String> = [
    "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING", "Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY",
  ]

  let connection: Connection
  let columns: [Column]

  /// Searches every column for data, because the file may contain entities of another model.
  ///
  /// Only another program can have created a table without rowids, so such a table contains no
  /// references. `index_info` returns the columns of the primary key for the name of such a table,
  /// and nothing for the name of any other table.
  init(on connection: Connection) throws(StoreError) {
    var columns: [Column] = []
    let sql = """
      SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c \
      WHERE m.type = 'table' AND upper(c.type) = 'BLOB' \
      AND NOT EXISTS (SELECT 1 FROM pragma_index_info(m.name)) ORDER BY m.name, c.cid
      """
    try connection.forEachRow(sql) { statement in
      guard let table = statement.text(0), let name = statement.text(1),
        !Self.systemTables.contains(table)
      else { return }
      columns.append(Column(table: table, name: name))
    }
    self.connection = connection
    self.columns = columns
  }

  /// Returns the names of all files that rows refer to.
  func names() throws(StoreError) -> Set<String> {
    var names: Set<String> = []
    try forEach { names.insert($0.fileName) }
    return names
  }

  /// Calls `body` with each reference.
  ///
  /// - Complexity: Reads each table once for each of its columns.
  func forEach(_ body: (Place) throws(StoreError) -> Void) throws(StoreError) {
    for column in columns {
      let (table, name) = (Self.quoted(column.table), Self.quoted(column.name))
      let sql =
        "SELECT rowid, \(name) FROM \(table) WHERE length(\(name)) = \(ExternalFiles.referenceLength) "
        + "AND typeof(\(name)) = 'blob'"
      try connection.forEachRow(sql) { (statement) throws(StoreError) in
        guard let fileName = ExternalFiles.name(in: statement.data(1) ?? Data()) else { return }
        try body(Place(column: column, row: statement.integer(0), fileName: fileName))
      }
    }
  }

  /// Changes a row so that it refers to another file.
  func replace(_ place: Place, with name: String) throws(StoreError) {
    let column = Self.quoted(place.column.name)
    try connection.run(
      "UPDATE \(Self.quoted(place.column.table)) SET \(column) = ? WHERE rowid = ?",
      [.data(ExternalFiles.reference(to: name)), .integer(place.row)])
  }

  private static func quoted(_ name: String) -> String { SQLiteDialect().quoted(name) }
}
