import OpenObjectModel

/// Names the indexes of a new file, in Apple's order.
struct IndexNaming {
  let entities: [EntityMap]
  let joins: [JoinTable]
  let columns: ColumnNaming.Columns

  func indexes(in model: CompiledModel) -> [SQLCreateIndex] {
    model.entities.filter { $0.superIndex == nil }.flatMap { root in
      keyIndexes(of: root) + root.subtree.flatMap { ownIndexes(of: entities[$0]) }
    }
  }

  private func keyIndexes(of root: CompiledEntity) -> [SQLCreateIndex] {
    let table = SchemaMap.tableName(of: root)
    let keys = (columns.indexed[root.index] ?? []) + (root.subtree.count > 1 ? ["Z_ENT"] : [])
    return keys.map { SQLCreateIndex("\(table)_\($0)_INDEX", on: table, [.init($0)]) }
  }

  private func ownIndexes(of map: EntityMap) -> [SQLCreateIndex] {
    let joinIndexes = joins.filter { $0.namingEntity == map.entity.index }.map { join in
      SQLCreateIndex(
        "\(join.name)_\(join.columns[1])_INDEX", on: join.name,
        [.init(join.columns[1]), .init(join.columns[0])])
    }
    let constraints = map.entity.uniquenessConstraints.compactMap { constraint(on: $0, of: map) }
    return joinIndexes + map.entity.fetchIndexes.compactMap { fetchIndex($0, of: map) }
      + constraints
  }

  private func constraint(on properties: [String], of map: EntityMap) -> SQLCreateIndex? {
    let elements = properties.compactMap { columnName($0, of: map) }
    guard elements.count == properties.count else { return nil }
    var index = SQLCreateIndex(
      "Z_\(map.entity.name)_UNIQUE_\(properties.joined(separator: "_"))", on: map.table,
      elements.map { .init($0, isAscending: true) })
    index.isUnique = true
    return index
  }

  /// An index that the model asks for; nil where Apple's framework makes none.
  private func fetchIndex(_ description: CompiledIndex, of map: EntityMap) -> SQLCreateIndex? {
    var elements: [SQLCreateIndex.Element] = []
    for element in description.elements {
      guard let column = columnName(element.propertyName, of: map) else { return nil }
      elements.append(.init(column, isAscending: element.isAscending))
    }
    guard let first = description.elements.first else { return nil }
    if elements.count == 1, isRelationship(first.propertyName, of: map) { return nil }
    return SQLCreateIndex(
      "Z_\(map.entity.name)_\(description.name)", on: map.table, elements)
  }

  private func isRelationship(_ name: String, of map: EntityMap) -> Bool {
    map.entity.ordinal(of: name).map { map.entity.properties[$0].relationship != nil } ?? false
  }

  private func columnName(_ property: String, of map: EntityMap) -> String? {
    switch property {
    case "self": "Z_PK"
    case "entity": "Z_ENT"
    default: map.entity.ordinal(of: property).flatMap { map.column($0)?.name }
    }
  }
}
