extension SQLRenderer {
  mutating func render(_ select: SQLSelect) {
    if case .materialized(let first, let name) = select.source {
      text += "WITH " + dialect.quoted(name) + " AS MATERIALIZED ("
      render(first)
      text += ") "
    }
    text += select.isDistinct ? "SELECT DISTINCT " : "SELECT "
    list(select.columns) { $0.render($1) }
    renderSources(of: select)
    condition(select.condition)
    if !select.groups.isEmpty {
      text += " GROUP BY "
      list(select.groups) { $0.render($1) }
    }
    clause(" HAVING ", select.groupCondition)
    if !select.order.isEmpty {
      text += " ORDER BY "
      list(select.order) { renderer, order in
        renderer.render(order.expression)
        renderer.text +=
          order.isOptional
          ? renderer.dialect.sortSuffix(isAscending: order.isAscending)
          : order.isAscending ? "" : " DESC"
      }
    }
    clause(" LIMIT ", select.limit)
    if select.limit == nil, select.offset != nil, let unlimited = dialect.unlimited {
      text += " " + unlimited
    }
    clause(" OFFSET ", select.offset)
    if let lock = select.lock { text += " " + lock.rawValue }
  }

  private mutating func renderSources(of select: SQLSelect) {
    if case .nothing = select.source { return }
    text += " FROM "
    render(select.source)
    for join in select.joins {
      text += " " + words(of: join.kind) + " "
      render(join.source)
      text += " ON "
      render(join.condition)
    }
  }

  private func words(of kind: SQLSelect.Join.Kind) -> String {
    switch kind {
    case .inner: "INNER JOIN"
    case .leftOuter: "LEFT OUTER JOIN"
    case .inOrder: dialect.orderedJoin
    }
  }

  private mutating func render(_ source: SQLSelect.Source) {
    switch source {
    case .table(let name, let alias):
      text += dialect.table(name)
      if let alias { text += " AS " + dialect.quoted(alias) }
    case .attached(let name, let schema, let alias):
      text += dialect.quoted(schema) + "." + dialect.quoted(name)
      if let alias { text += " AS " + dialect.quoted(alias) }
    case .function(let name, let arguments, let alias):
      render(.function(name, arguments))
      if let alias { text += " AS " + dialect.alias(ofList: dialect.quoted(alias)) }
    case .select(let select, let alias):
      text += "("
      render(select)
      text += ")"
      if let alias { text += " AS " + dialect.quoted(alias) }
    case .arrays(let count, let alias):
      text += dialect.listTable + "("
      list(Array(1...count)) { $0.render(SQLParameter.numbered($1)) }
      text += ") AS " + dialect.quoted(alias) + "("
      identifiers((0..<count).map { "c\($0)" })
      text += ")"
    case .materialized(_, let name): text += dialect.quoted(name)
    case .nothing: break
    }
  }

  mutating func render(_ insert: SQLInsert) {
    text +=
      insert.ignoresDuplicates
      ? dialect.duplicateWords.0 : insert.source == nil ? "INSERT INTO " : "INSERT OR FAIL INTO "
    text += dialect.table(insert.table) + " ("
    identifiers(insert.columns)
    if let select = insert.select {
      text += ") "
      render(select)
    } else if let source = insert.source {
      // Without the condition, ON CONFLICT would be read as part of a join.
      text +=
        ") SELECT * FROM " + dialect.quoted(source) + (insert.collision == nil ? "" : " WHERE 1")
    } else {
      text += ") VALUES ("
      list(insert.values) { $0.render($1) }
      text += ")"
    }
    if insert.ignoresDuplicates { text += dialect.duplicateWords.1 }
    render(insert.collision)
    returning(insert.returning)
  }

  private mutating func render(_ collision: SQLInsert.Collision?) {
    switch collision {
    case nil: return
    case .keep?: text += " ON CONFLICT DO NOTHING"
    case .replace(let columns, let version)?:
      text += " ON CONFLICT DO UPDATE SET "
      list(columns) { renderer, column in
        let name = renderer.dialect.quoted(column)
        renderer.text += name + " = excluded." + name
      }
      let name = dialect.quoted(version)
      text += (columns.isEmpty ? "" : ", ") + name + " = ifnull(" + name + ", 0) + 1"
    case .update(let columns, let key, let version)?:
      text += " ON CONFLICT (" + dialect.quoted(key) + ") DO UPDATE SET "
      list(columns + [version]) { renderer, column in
        let name = renderer.dialect.quoted(column)
        renderer.text += name + " = excluded." + name
      }
      let name = dialect.quoted(version)
      text += " WHERE " + name + " = excluded." + name + " - 1"
    case .assign(let columns, let values, let key)?:
      text += " ON CONFLICT (" + dialect.quoted(key) + ") DO UPDATE SET "
      assign(values, to: columns)
    }
  }

  private mutating func assign(_ values: [SQLExpression], to columns: [String]) {
    list(Array(zip(columns, values))) { renderer, assignment in
      renderer.text += renderer.dialect.quoted(assignment.0) + " = "
      renderer.render(assignment.1)
    }
  }

  private mutating func returning(_ columns: [String]) {
    guard !columns.isEmpty else { return }
    text += " RETURNING "
    identifiers(columns)
  }

  mutating func render(_ update: SQLUpdate) {
    text += "UPDATE " + dialect.table(update.table)
    if let alias = update.alias { text += " AS " + dialect.quoted(alias) }
    text += " SET "
    assign(update.values, to: update.columns)
    if let source = update.source {
      text += " FROM "
      render(source)
    }
    condition(update.condition)
    returning(update.returning)
  }

  mutating func render(_ delete: SQLDelete) {
    text += "DELETE FROM " + dialect.table(delete.table)
    if let alias = delete.alias { text += " AS " + dialect.quoted(alias) }
    if let source = delete.source {
      text += " USING "
      render(source)
    }
    condition(delete.condition)
  }

  private mutating func condition(_ condition: SQLExpression?) { clause(" WHERE ", condition) }

  mutating func clause(_ keyword: String, _ expression: SQLExpression?) {
    guard let expression else { return }
    text += keyword
    render(expression)
  }
}
