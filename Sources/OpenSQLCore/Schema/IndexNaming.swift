import OpenObjectModel
import OpenPredicates

/// Names the indexes of a new file, in Apple's order.
struct IndexNaming {
  let schema: SchemaMap

  func indexes() -> [SQLCreateIndex] {
    schema.model.entities.filter { $0.superIndex == nil }.flatMap { root in
      keyIndexes(of: root) + root.subtree.flatMap { ownIndexes(of: schema.entities[$0]) }
    }
  }

  /// Returns the R-tree indexes, which are created after all other tables and indexes of the model.
  func spatialIndexes() -> [SQLSpatialIndex] {
    schema.entities.flatMap { map in
      map.entity.fetchIndexes.compactMap { spatialIndex($0, of: map) }
    }
  }

  private func keyIndexes(of root: CompiledEntity) -> [SQLCreateIndex] {
    let table = SchemaMap.tableName(of: root)
    let keys = (schema.indexed[root.index] ?? []) + (root.subtree.count > 1 ? ["Z_ENT"] : [])
    return keys.map { SQLCreateIndex("\(table)_\($0)_INDEX", on: table, [.init($0)]) }
  }

  private func ownIndexes(of map: EntityMap) -> [SQLCreateIndex] {
    let joins = schema.joins.filter { $0.namingEntity == map.entity.index }.map { join in
      SQLCreateIndex(
        "\(join.name)_\(join.columns[1])_INDEX", on: join.name,
        [.init(join.columns[1]), .init(join.columns[0])])
    }
    let entity = map.entity
    let constraints = zip(entity.declaredConstraints, entity.uniquenessConstraints).compactMap {
      constraint($0, on: $1, of: map)
    }
    return joins + entity.fetchIndexes.compactMap { fetchIndex($0, of: map) } + constraints
  }

  private func constraint(
    _ declared: [String], on properties: [String], of map: EntityMap
  ) -> SQLCreateIndex? {
    let columns = map.columns(of: properties)
    guard !columns.isEmpty else { return nil }
    var index = SQLCreateIndex(
      "Z_\(map.entity.name)_UNIQUE_\(declared.joined(separator: "_"))", on: map.table,
      columns.map { .init($0, isAscending: true) })
    index.isUnique = true
    return index
  }

  /// Returns an index of the model; nil if Apple's framework does not create the index, or if
  /// SQLite cannot evaluate its condition.
  private func fetchIndex(_ description: CompiledIndex, of map: EntityMap) -> SQLCreateIndex? {
    guard !description.elements.contains(where: \.isRTree) else { return nil }
    var elements: [SQLCreateIndex.Element] = []
    for element in description.elements {
      let columns = columns(of: element, in: map)
      if columns.isEmpty { return nil }
      elements += columns.map { .init($0, isAscending: element.isAscending) }
    }
    guard let first = description.elements.first else { return nil }
    if elements.count == 1, isRelationship(first, of: map) { return nil }
    var index = SQLCreateIndex(
      "Z_\(map.entity.name)_\(description.name)", on: map.table, elements)
    if let condition = description.condition, condition != .constant(true) {
      guard let lowered = IndexCondition(map: map).lower(condition) else { return nil }
      index.condition = lowered
    }
    return index
  }

  /// Returns an R-tree index, or nil if the index is not an R-tree or has more than five
  /// dimensions, which SQLite does not support.
  private func spatialIndex(_ description: CompiledIndex, of map: EntityMap) -> SQLSpatialIndex? {
    guard description.elements.allSatisfy(\.isRTree), description.elements.count <= 5 else {
      return nil
    }
    let columns = map.columns(of: description.elements.map(\.propertyName))
    guard !columns.isEmpty else { return nil }
    return SQLSpatialIndex(
      "Z_RT_\(map.entity.name)_\(description.name)", on: map.table, columns)
  }

  private func columns(of element: CompiledIndex.Element, in map: EntityMap) -> [String] {
    let name: String
    switch element.expression {
    case .evaluatedObject: name = "self"
    case .keyPath(let steps): name = steps.joined(separator: ".")
    case nil: name = element.propertyName
    default: return []
    }
    let columns = map.columns(of: [name])
    if !columns.isEmpty { return columns }
    return ["self": ["Z_PK"], "entity": ["Z_ENT"]][name] ?? []
  }

  private func isRelationship(_ element: CompiledIndex.Element, of map: EntityMap) -> Bool {
    map.property(named: element.propertyName)?.relationship != nil
  }
}
