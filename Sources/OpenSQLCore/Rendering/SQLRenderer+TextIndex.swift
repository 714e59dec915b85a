extension SQLRenderer {
  mutating func render(_ index: SQLTextIndex, _ part: SQLTextIndex.Part) {
    guard part != .table else { return renderTable(of: index) }
    text += "CREATE TRIGGER " + dialect.quoted(index.name(of: part)) + " AFTER "
    text += part.rawValue.uppercased()
    if part == .update {
      text += " OF "
      identifiers(["Z_PK"] + index.columns)
    }
    text += " ON " + dialect.quoted(index.table)
    if part == .update { renderDifference(index) }
    text += " BEGIN "
    if part != .insert { renderRemoval(index) }
    if part != .delete { renderInsertion(index) }
    text += "END"
  }

  private mutating func renderTable(of index: SQLTextIndex) {
    text += "CREATE VIRTUAL TABLE " + dialect.quoted(index.name) + " USING fts5("
    identifiers(index.columns)
    text += ", content=" + literal(index.table) + ", content_rowid='Z_PK', tokenize="
    text += literal(SQLTextIndex.tokenizer)
    if !index.prefixLengths.isEmpty {
      text += ", prefix=" + literal(index.prefixLengths.map(String.init).joined(separator: " "))
    }
    text += ")"
  }

  /// Writes the condition that a text of the row has changed, so that other updates do not change
  /// the index.
  private mutating func renderDifference(_ index: SQLTextIndex) {
    text += " WHEN "
    list(["Z_PK"] + index.columns, separator: " OR ") { renderer, column in
      let name = renderer.dialect.quoted(column)
      renderer.text += "OLD." + name + " IS NOT NEW." + name
    }
  }

  /// Writes the statement that removes a row from the index. The statement contains the texts,
  /// because FTS5 does not store them.
  private mutating func renderRemoval(_ index: SQLTextIndex) {
    let name = dialect.quoted(index.name)
    text += "INSERT INTO " + name + "(" + name + ", rowid, "
    identifiers(index.columns)
    text += ") VALUES ('delete', "
    values(of: index, in: "OLD")
  }

  private mutating func renderInsertion(_ index: SQLTextIndex) {
    text += "INSERT INTO " + dialect.quoted(index.name) + "(rowid, "
    identifiers(index.columns)
    text += ") VALUES ("
    values(of: index, in: "NEW")
  }

  private mutating func values(of index: SQLTextIndex, in row: String) {
    list(["Z_PK"] + index.columns) { $0.text += row + "." + $0.dialect.quoted($1) }
    text += "); "
  }
}
