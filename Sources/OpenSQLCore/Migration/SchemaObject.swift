/// An index, trigger or table that a file has.
package struct SchemaObject: Sendable, Hashable {
  /// `table`, `index`, `trigger` or `view`.
  package var kind: String
  package var name: String
  /// The table that it belongs to.
  package var table: String
  /// The statement that made it; nil for what SQLite makes by itself.
  package var sql: String?

  /// Describes an object.
  package init(kind: String, name: String, table: String, sql: String?) {
    self.kind = kind
    self.name = name
    self.table = table
    self.sql = sql
  }

  /// The statement without quotation marks, which renamed tables get around their names.
  var plainText: String { Self.plain(sql ?? "") }

  static func plain(_ text: String) -> String { text.filter { $0 != "\"" } }
}
