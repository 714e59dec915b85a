import OpenObjectModel
import OpenPredicates
import OpenStoreContract

// Full-text searches use a text index if the file has one, otherwise a function that is called for
// every row. The result is never unknown (NULL).

extension FilterLowering {
  /// Returns the condition for a search in one string.
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

  /// Returns the condition for a search in all searched attributes of an object.
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

  /// Returns the condition that a text index finds the key of an object.
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
  /// Returns the names of columns.
  ///
  /// - Parameter attributes: The ordinals of the attributes, by the index of the entity.
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
