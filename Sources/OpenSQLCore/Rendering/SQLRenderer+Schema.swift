extension SQLRenderer {
  mutating func render(_ table: SQLCreateTable) {
    let padding = table.isPadded ? " " : ""
    text += "CREATE TABLE " + dialect.table(table.name) + " (" + padding
    list(table.columns) { $0.text += $0.dialect.quoted($1.name) + " " + $1.type }
    if !table.primaryKey.isEmpty {
      text += ", PRIMARY KEY ("
      identifiers(table.primaryKey)
      text += ")"
    }
    text += padding + ")"
  }

  mutating func render(_ index: SQLCreateIndex) {
    text += index.isUnique ? "CREATE UNIQUE INDEX " : "CREATE INDEX "
    text += dialect.quoted(index.name) + " ON " + dialect.table(index.table) + " ("
    list(index.elements) { renderer, element in
      renderer.text += renderer.dialect.quoted(element.column)
      guard let isAscending = element.isAscending else { return }
      renderer.text += renderer.dialect.indexSuffix(isAscending: isAscending)
    }
    text += ")"
    guard let condition = index.condition else { return }
    text += " WHERE "
    switch condition {
    case .all, .any: parenthesized(condition)
    default: render(condition)
    }
  }

  mutating func render(_ trigger: SQLCreateTrigger) {
    begin(trigger.name)
    switch trigger.event {
    case .insert: text += "INSERT"
    case .delete: text += "DELETE"
    case .update(let columns):
      text += "UPDATE OF "
      identifiers(columns)
    }
    text += " ON " + dialect.quoted(trigger.table) + " FOR EACH ROW"
    clause(" WHEN ", trigger.condition)
    text += " BEGIN "
    for step in trigger.steps {
      render(step)
      text += "; "
    }
    text += "END"
  }

  /// Writes a statement of an R-tree index, with the same spaces as in Apple's files.
  mutating func render(_ index: SQLSpatialIndex, _ part: SQLSpatialIndex.Part) {
    guard part != .table else { return renderTable(of: index) }
    let name = dialect.quoted(index.name)
    begin(index.name + "_" + part.rawValue.uppercased())
    text += part.rawValue.uppercased() + " ON " + dialect.quoted(index.table)
    text += " FOR EACH ROW BEGIN "
    switch part {
    case .table: break
    case .insert: insert("INSERT OR REPLACE INTO ", into: index)
    case .update:
      text += "DELETE FROM " + name + " WHERE Z_PK = NEW.Z_PK ; "
      insert("INSERT INTO ", into: index)
    case .delete: text += "DELETE FROM " + name + " WHERE Z_PK = OLD.Z_PK ; "
    }
    text += "END"
  }

  private mutating func begin(_ trigger: String) {
    text += "CREATE TRIGGER " + dialect.quoted(trigger) + " AFTER "
  }

  private mutating func renderTable(of index: SQLSpatialIndex) {
    text += "CREATE VIRTUAL TABLE " + dialect.quoted(index.name)
    text += " USING RTREE (Z_PK INTEGER PRIMARY KEY, "
    list(limits(of: index)) { $0.text += $0.dialect.quoted($1) + " FLOAT" }
    text += ")"
  }

  private mutating func insert(_ keyword: String, into index: SQLSpatialIndex) {
    text += keyword + dialect.quoted(index.name) + " (Z_PK, "
    identifiers(limits(of: index))
    text += ") VALUES (NEW.Z_PK"
    for (position, column) in index.columns.enumerated() {
      let value = "NEW." + dialect.quoted(column)
      text += ", " + value + (position == 0 ? " ," : ", ") + value
    }
    text += ") ; "
  }

  private func limits(of index: SQLSpatialIndex) -> [String] {
    index.columns.flatMap { [$0 + "_MIN", $0 + "_MAX"] }
  }
}
