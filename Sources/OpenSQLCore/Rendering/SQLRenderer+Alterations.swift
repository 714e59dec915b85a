import Foundation

extension SQLRenderer {
  mutating func render(_ alteration: SQLAlteration) {
    switch alteration {
    case .addColumn(let column, let table):
      alter(table)
      text += "ADD COLUMN " + dialect.quoted(column.name) + " " + column.type
    case .setDefault(let column, let value, let table):
      alter(table)
      text += "ALTER COLUMN " + dialect.quoted(column) + " SET DEFAULT "
      render(value)
    case .renameColumn(let old, let new, let table):
      alter(table)
      text += "RENAME COLUMN " + dialect.quoted(old) + " TO " + dialect.quoted(new)
    case .dropColumn(let column, let table):
      alter(table)
      text += "DROP COLUMN " + dialect.quoted(column)
    case .renameTable(let old, let new):
      alter(old)
      text += "RENAME TO " + dialect.quoted(new)
    case .dropTable(let name): text += "DROP TABLE " + dialect.table(name)
    case .dropIndex(let name): text += "DROP INDEX " + dialect.table(name)
    case .dropTrigger(let name): text += "DROP TRIGGER " + dialect.quoted(name)
    }
  }

  private mutating func alter(_ table: String) {
    text += "ALTER TABLE " + dialect.table(table) + " "
  }

  /// Writes bytes of the schema, such as a default value, as a literal.
  mutating func literalData(_ data: Data) {
    let digits = data.map { byte in
      let text = String(byte, radix: 16, uppercase: true)
      return text.utf8.count == 1 ? "0" + text : text
    }
    text += dialect.dataQuotes.0 + digits.joined() + dialect.dataQuotes.1
  }
}
