package import OpenObjectModel
package import OpenStoreContract

/// A model's tables and columns in Apple's layout, made once when a store is opened.
package final class SchemaMap: Sendable {
  package let model: CompiledModel
  /// By position in the model.
  package let entities: [EntityMap]
  package let uniqueness: [UniquenessMap]
  package let joins: [JoinTable]
  /// Tables of entities, in the order of the roots.
  let tables: [SQLCreateTable]
  let indexes: [SQLCreateIndex]
  private let toMany: [Int: [String: ToManyStorage]]

  /// Maps a model.
  ///
  /// - Parameter existing: Columns of the file's tables by table, which decide where the layout
  ///   leaves a choice; nil for a new file.
  /// - Throws: `StoreError` with code `.unsupported` for a property that the layout cannot hold
  ///   yet.
  package init(
    _ model: CompiledModel, existing: [String: [String]]? = nil
  ) throws(StoreError) {
    let columns = try ColumnNaming.columns(of: model)
    let joins = JoinNaming.joins(of: model, existing: existing)
    self.model = model
    entities = model.entities.map { entity in
      let root = model.entities[entity.rootIndex]
      return EntityMap(
        entity: entity, table: Self.tableName(of: root), tableEntities: root.subtree,
        columns: columns.slots[entity.index])
    }
    self.joins = joins.tables
    toMany = ToManyNaming.storage(in: model, entities: entities, joins: joins)
    uniqueness = Self.uniqueness(of: entities)
    tables = columns.tables
    indexes = IndexNaming(entities: entities, joins: joins.tables, columns: columns)
      .indexes(in: model)
  }

  package static func tableName(of root: CompiledEntity) -> String {
    "Z" + root.name.uppercased()
  }

  /// How a to-many relationship is stored; nil for any other property.
  package func storage(of property: CompiledProperty) -> ToManyStorage? {
    toMany[property.declaringEntityIndex]?[property.name]
  }

  /// Every to-many storage in which the rows of an entity are the owners.
  package func ownedStorage(of entity: CompiledEntity) -> [ToManyStorage] {
    entity.properties.compactMap { storage(of: $0) }
  }

  private static func uniqueness(of entities: [EntityMap]) -> [UniquenessMap] {
    entities.flatMap { map in
      map.entity.uniquenessConstraints.map { properties in
        UniquenessMap(
          entityIndex: map.entity.index, table: map.table, properties: properties,
          columns: properties.compactMap { name in
            map.entity.ordinal(of: name).flatMap { map.column($0)?.name }
          })
      }
    }
  }

  /// The statements that make the tables and indexes of a new file, in Apple's order.
  package func statements() -> [SQLStatement] {
    var statements: [SQLStatement] = []
    for (root, table) in zip(model.entities.filter { $0.superIndex == nil }, tables) {
      statements.append(.createTable(table))
      for join in joins where root.subtree.contains(join.namingEntity) {
        statements.append(.createTable(Self.table(of: join)))
      }
    }
    return statements + indexes.map { .createIndex($0) } + Self.fixedTables
  }

  private static func table(of join: JoinTable) -> SQLCreateTable {
    var table = SQLCreateTable(
      join.name, (join.columns + join.orderColumns).map { .init($0, "INTEGER") })
    table.primaryKey = join.columns
    return table
  }

  /// The tables that every file has beside those of the entities.
  private static let fixedTables: [SQLStatement] = [
    fixed(
      "Z_PRIMARYKEY",
      [
        ("Z_ENT", "INTEGER PRIMARY KEY"), ("Z_NAME", "VARCHAR"), ("Z_SUPER", "INTEGER"),
        ("Z_MAX", "INTEGER"),
      ]),
    fixed(
      "Z_METADATA",
      [("Z_VERSION", "INTEGER PRIMARY KEY"), ("Z_UUID", "VARCHAR(255)"), ("Z_PLIST", "BLOB")]),
    fixed("Z_MODELCACHE", [("Z_CONTENT", "BLOB")]),
  ]

  private static func fixed(_ name: String, _ columns: [(String, String)]) -> SQLStatement {
    var table = SQLCreateTable(name, columns.map { .init($0.0, $0.1) })
    table.isPadded = false
    return .createTable(table)
  }

  /// Columns that a file must have for this model, by table.
  package func requiredColumns() -> [String: [String]] {
    var required: [String: [String]] = [:]
    for table in tables {
      required[table.name] = table.columns.map(\.name).filter { !$0.hasPrefix("Z_FOK_") }
    }
    for join in joins { required[join.name] = join.columns }
    return required
  }
}
