import OpenObjectModel
import OpenPredicates
import OpenStoreContract

// Full-text searches: look-ups in a text index where the file has one, else a function of every row. Neither is ever unknown.

extension FilterLowering {
  /// A search in a text.
  func containsWords(
    _ text: Operand, _ query: Operand, in scope: SelectScope
  ) throws(StoreError) -> SQLExpression {
    if case .binding(let position) = query, case .property(let path) = text,
      case .property(let ordinal) = path.end
    {
      let scope = try scope.outer(path.level)
      let row = try scope.row(after: path.steps, from: path.entityIndex)
      if let column = row.map.column(ordinal),
        let index = textIndexes[row.map.table], index.columns.contains(column.name)
      {
        return try found(in: index, [column.name], position, path, scope)
      }
    }
    return function(
      try lower(query, .untyped, in: scope), [try lower(text, .untyped, in: scope)])
  }

  /// A search in all searched attributes of an object.
  func containsWords(
    _ path: PropertyPath, _ attributes: [Int: [Int]], _ query: Int, in scope: SelectScope
  ) throws(StoreError) -> SQLExpression {
    let scope = try scope.outer(path.level)
    let row = try scope.row(after: path.steps, from: path.entityIndex)
    let columns = scope.schema.columns(of: attributes)
    if let index = textIndexes[row.map.table], Set(index.columns).isSuperset(of: columns) {
      return try found(in: index, columns, query, path, scope)
    }
    return function(
      .parameter(.value(query, .untyped)), columns.map { .column(table: row.alias, $0) })
  }

  /// That an index finds the key of an object.
  private func found(
    in index: SQLTextIndex, _ columns: [String], _ query: Int, _ path: PropertyPath,
    _ scope: SelectScope
  ) throws(StoreError) -> SQLExpression {
    var select = SQLSelect([.column(table: nil, "rowid")], from: .table(index.name, alias: nil))
    select.condition = .binary(
      .match, .column(table: nil, index.name),
      .parameter(.words(query, columns: index.restriction(to: columns))))
    let key = try scope.key(after: path.steps, from: path.entityIndex)
    let isFound = SQLExpression.isInResult(key, select)
    return path.steps.isEmpty ? isFound : .isTrue(isFound)
  }

  private func function(
    _ query: SQLExpression, _ texts: [SQLExpression]
  ) -> SQLExpression {
    .function(dialect.function(.containsWords), [query] + texts)
  }
}

extension SchemaMap {
  /// The columns of attributes by ordinal, which are given by the position of their entity.
  func columns(of attributes: [Int: [Int]]) -> [String] {
    var names: [String] = []
    for (entity, ordinals) in attributes.sorted(by: { $0.key < $1.key }) {
      for ordinal in ordinals {
        guard let column = entities[entity].column(ordinal), !names.contains(column.name) else {
          continue
        }
        names.append(column.name)
      }
    }
    return names
  }
}
