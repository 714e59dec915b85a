/// A table, index, trigger or view of a file.
package struct SchemaObject: Sendable, Hashable {
  /// The kind of the object: `table`, `index`, `trigger` or `view`.
  package var kind: String
  package var name: String
  /// The table that the object belongs to.
  package var table: String
  /// The statement that created the object; nil for objects that SQLite creates automatically.
  package var sql: String?

  /// Creates a description of an object.
  ///
  /// - Parameters:
  ///   - kind: The kind of the object: `table`, `index`, `trigger` or `view`.
  ///   - name: The name of the object.
  ///   - table: The table that the object belongs to.
  ///   - sql: The statement that created the object; nil for objects that SQLite creates
  ///     automatically.
  package init(kind: String, name: String, table: String, sql: String?) {
    self.kind = kind
    self.name = name
    self.table = table
    self.sql = sql
  }

  /// The statement without quotation marks, because SQLite adds quotation marks around the names of
  /// renamed tables.
  var plainText: String { Self.plain(sql ?? "") }

  static func plain(_ text: String) -> String { text.filter { $0 != "\"" } }
}
