import OpenObjectModel
import OpenStoreContract

/// Generates the aliases t0, t1, and so on, of one statement. Confined to one lowering.
final class AliasCounter {
  private var next = 0

  func make() -> String {
    defer { next += 1 }
    return "t\(next)"
  }
}

/// The tables of one SELECT: the table of an entity, and the tables that are joined for to-one
/// paths. Each path is joined once.
///
/// Confined to one lowering.
final class SelectScope {
  let schema: SchemaMap
  let aliases: AliasCounter
  let alias: String
  let entityIndex: Int
  /// The scope of the enclosing SELECT.
  private let enclosing: SelectScope?
  private let map: EntityMap
  private(set) var joins: [SQLSelect.Join] = []
  private var reached: [Place: (alias: String, map: EntityMap)] = [:]

  /// An object at the end of to-one relationships.
  private struct Place: Hashable {
    let start: Int
    let steps: [Int]
  }

  init(
    entityIndex: Int, schema: SchemaMap, aliases: AliasCounter, inside enclosing: SelectScope? = nil
  ) {
    self.schema = schema
    self.aliases = aliases
    self.enclosing = enclosing
    alias = aliases.make()
    self.entityIndex = entityIndex
    map = schema.entities[entityIndex]
  }

  var source: SQLSelect.Source { .table(map.table, alias: alias) }

  /// Returns the scope of an enclosing SELECT, a given number of levels outside this scope.
  func outer(_ level: Int) throws(StoreError) -> SelectScope {
    var scope = self
    for _ in 0..<max(0, level) {
      guard let next = scope.enclosing else {
        throw StoreError(.unsupportedPredicate, "A key path starts outside the predicate.")
      }
      scope = next
    }
    return scope
  }

  /// Returns the entity that a path starts with: the entity of the SELECT, or the subentity that
  /// the path assumes for the object.
  private func start(of entity: Int) -> EntityMap {
    guard entity != entityIndex, map.entity.subtree.contains(entity) else { return map }
    return schema.entities[entity]
  }

  /// Returns the entity number of the object at the end of to-one relationships.
  func entityNumber(after steps: [Int], from entity: Int) throws(StoreError) -> SQLExpression {
    .column(table: try source(after: steps, from: start(of: entity)).alias, "Z_ENT")
  }

  /// Returns the key of the object at the end of to-one relationships.
  func key(after steps: [Int], from entity: Int) throws(StoreError) -> SQLExpression {
    guard let last = steps.last else { return .column(table: alias, "Z_PK") }
    let owner = try source(after: Array(steps.dropLast()), from: start(of: entity))
    return .column(table: owner.alias, try column(last, of: owner.map).name)
  }

  /// Returns a stored property of the object at the end of to-one relationships.
  func property(
    _ ordinal: Int, after steps: [Int], from entity: Int
  ) throws(StoreError) -> (expression: SQLExpression, column: SlotColumn) {
    let owner = try source(after: steps, from: start(of: entity))
    let column = try column(ordinal, of: owner.map)
    return (.column(table: owner.alias, column.name), column)
  }

  /// Returns the table alias and the columns of the object at the end of to-one relationships.
  func row(
    after steps: [Int], from entity: Int
  ) throws(StoreError) -> (alias: String, map: EntityMap) {
    try source(after: steps, from: start(of: entity))
  }

  /// Returns the storage and the destination entity of the to-many relationship at the end of a
  /// path.
  func toMany(_ path: RelationshipPath) throws(StoreError) -> (ToManyStorage, destination: Int) {
    var entity = start(of: path.entityIndex).entity
    for step in path.steps { entity = try destination(step, of: entity) }
    guard entity.properties.indices.contains(path.ordinal),
      let relationship = entity.properties[path.ordinal].relationship,
      let storage = schema.storage(of: entity.properties[path.ordinal])
    else {
      throw StoreError(
        .unsupportedPredicate, "The key path does not end at a stored to-many relationship.",
        entityName: entity.name)
    }
    return (storage, relationship.destinationIndex)
  }

  private func source(
    after steps: [Int], from start: EntityMap
  ) throws(StoreError) -> (alias: String, map: EntityMap) {
    guard let last = steps.last else { return (alias, start) }
    let place = Place(start: start.entity.index, steps: steps)
    if let known = reached[place] { return known }
    let owner = try source(after: Array(steps.dropLast()), from: start)
    let column = try column(last, of: owner.map)
    let destination = schema.entities[try destination(last, of: owner.map.entity).index]
    let new = aliases.make()
    joins.append(
      SQLSelect.Join(
        kind: .leftOuter, source: .table(destination.table, alias: new),
        condition: .binary(
          .equal, .column(table: owner.alias, column.name), .column(table: new, "Z_PK"))))
    reached[place] = (new, destination)
    return (new, destination)
  }

  private func destination(
    _ ordinal: Int, of entity: CompiledEntity
  ) throws(StoreError) -> CompiledEntity {
    guard entity.properties.indices.contains(ordinal),
      let relationship = entity.properties[ordinal].relationship, !relationship.isToMany
    else {
      throw StoreError(
        .unsupportedPredicate,
        "The key path contains a property that is not a to-one relationship.",
        entityName: entity.name)
    }
    return schema.model.entities[relationship.destinationIndex]
  }

  private func column(_ ordinal: Int, of map: EntityMap) throws(StoreError) -> SlotColumn {
    if let column = map.column(ordinal) { return column }
    let properties = map.entity.properties
    throw StoreError(
      .unsupportedPredicate, "The property has no column in the store.",
      entityName: map.entity.name,
      propertyName: properties.indices.contains(ordinal) ? properties[ordinal].name : nil)
  }
}
