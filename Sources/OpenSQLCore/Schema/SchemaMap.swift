package import OpenObjectModel
package import OpenStoreContract

/// A model's tables and columns in Apple's layout, made once when a store is opened.
package final class SchemaMap: Sendable {
  package let model: CompiledModel
  package let numbers: EntityNumbers
  /// Slots of entity discriminators by entity, whose values in the store are its own numbers; none with the numbers of Apple's layout.
  package let translatedSlots: [Set<Int>]
  let dialect: any SQLDialect
  /// By position in the model.
  package let entities: [EntityMap]
  package let uniqueness: [UniquenessMap]
  package let joins: [JoinTable]
  /// Tables of entities, in the order of the roots.
  let tables: [SQLCreateTable]
  /// Columns with their own index, by root entity.
  let indexed: [Int: [String]]
  /// Columns of members' places that the file's tables should have and do not have, by table.
  package let missingOrderColumns: [String: [String]]
  private let orderColumns: [String: Set<String>]
  private let toMany: [Int: [String: ToManyStorage]]

  /// Maps a model.
  ///
  /// - Parameter existing: Columns of the file's tables by table, which decide where the layout
  ///   leaves a choice; nil for a new file.
  /// - Parameter dialect: The product that the statements are for.
  /// - Parameter numbers: The numbers of the entities.
  /// - Throws: `StoreError` with code `.unsupported` for a property that the layout cannot hold
  ///   yet.
  package init(
    _ model: CompiledModel, existing: [String: [String]]? = nil,
    dialect: any SQLDialect = SQLiteDialect(), numbers: EntityNumbers = EntityNumbers()
  ) throws(StoreError) {
    let columns = try ColumnNaming.columns(of: model, numbers, for: dialect)
    let joins = JoinNaming.joins(of: model, numbers, existing: existing)
    self.model = model
    self.numbers = numbers
    translatedSlots = model.entities.map { entity in
      numbers.isPlain
        ? [] : Set(entity.properties.compactMap { $0.relationship?.discriminatorSlot })
    }
    self.dialect = dialect
    entities = model.entities.map { entity in
      let root = model.entities[entity.rootIndex]
      return EntityMap(
        entity: entity, table: Self.tableName(of: root), tableEntities: root.subtree,
        columns: columns.slots[entity.index], number: numbers.number(of: entity.index))
    }
    self.joins = joins.tables
    toMany = ToManyNaming(
      model: model, entities: entities, columns: columns, joins: joins, existing: existing
    ).storage()
    uniqueness = Self.uniqueness(of: entities)
    tables = columns.tables
    indexed = columns.indexed
    var orders = columns.orderColumns.mapValues { Set($0.values) }
    for join in joins.tables { orders[join.name] = Set(join.orderColumns) }
    orderColumns = orders
    missingOrderColumns = existing.map { Self.missing(orders, in: $0) } ?? [:]
  }

  /// Wanted columns of tables that are there without them.
  private static func missing(
    _ wanted: [String: Set<String>], in existing: [String: [String]]
  ) -> [String: [String]] {
    var missing: [String: [String]] = [:]
    for (table, columns) in wanted {
      guard let present = existing[table] else { continue }
      let absent = columns.subtracting(present).sorted()
      if !absent.isEmpty { missing[table] = absent }
    }
    return missing
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
          columns: map.columns(of: properties))
      }
    }
  }

  /// The statements that make a new file, in Apple's order: tables, indexes, triggers of derived
  /// attributes, R-tree indexes, and the tables that every file has.
  package func statements() -> [SQLStatement] {
    tableStatements() + indexStatements() + triggerStatements() + spatialStatements()
      + Self.fixedTables
  }

  /// The statements for the tables of entities, each followed by the tables of pairs that it names.
  package func tableStatements() -> [SQLStatement] {
    var statements: [SQLStatement] = []
    for (root, table) in zip(model.entities.filter { $0.superIndex == nil }, tables) {
      statements.append(.createTable(table))
      for join in joins where root.subtree.contains(join.namingEntity) {
        statements.append(.createTable(self.table(of: join)))
      }
    }
    return statements
  }

  /// The statements for the indexes of all tables but R-trees.
  package func indexStatements() -> [SQLStatement] {
    IndexNaming(schema: self).indexes().map { .createIndex($0) }
  }

  /// The statements for the triggers that keep derived attributes true.
  ///
  /// They call two functions of five arguments (table, entity number, key, name of the attribute,
  /// new value), `NSCoreDataDATriggerUpdatedAffectedObjectValue` and
  /// `NSCoreDataDATriggerInsertUpdatedAffectedObjectValue`, and the dialect's functions; a
  /// connection that writes must know them. The entity of the row need not be one that has the
  /// attribute, because entities share tables.
  package func triggerStatements() -> [SQLStatement] {
    DerivationTriggers(schema: self, dialect: dialect).triggers().map { .createTrigger($0) }
  }

  /// The statements for R-tree indexes, with their triggers.
  package func spatialStatements() -> [SQLStatement] {
    IndexNaming(schema: self).spatialIndexes().flatMap { index in
      SQLSpatialIndex.Part.allCases.map { .createSpatialIndex(index, $0) }
    }
  }

  /// The statements for the tables and indexes of persistent history.
  package var historyStatements: [SQLStatement] {
    HistoryTables.statements(tombstoneCount: HistoryTables.tombstoneCount(of: model))
  }

  /// The number of values that history keeps of a deleted row.
  package var tombstoneCount: Int { HistoryTables.tombstoneCount(of: model) }

  /// The columns of the tables of persistent history, with their types.
  package var historyColumns: [(table: String, columns: [(String, String)])] {
    HistoryTables.columns(tombstoneCount: tombstoneCount)
  }

  /// The columns that every table of rows begins with.
  static func rowHeader(_ dialect: any SQLDialect = SQLiteDialect()) -> [SQLCreateTable.Column] {
    let type = dialect.keyType
    return [.init("Z_PK", type + " PRIMARY KEY"), .init("Z_ENT", type), .init("Z_OPT", type)]
  }

  func table(of join: JoinTable) -> SQLCreateTable {
    var table = SQLCreateTable(
      join.name, (join.columns + join.orderColumns).map { .init($0, dialect.keyType) })
    table.primaryKey = join.columns
    return table
  }

  /// The tables that every file has in addition to those of the entities.
  static let fixedTables: [SQLStatement] = [
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
  ///
  /// Those of members' places are not among them: without them, relationships have no order.
  ///
  /// - Parameter members: Positions of the entities in the file; nil for all. Tables of other entities, and join
  ///   tables with one of them, may be missing.
  package func requiredColumns(of members: Set<Int>? = nil) -> [String: [String]] {
    let held = entities.filter { members?.contains($0.entity.index) ?? true }
    let names = Set(held.map(\.table))
    var required: [String: [String]] = [:]
    for table in tables where names.contains(table.name) {
      required[table.name] = table.columns.map(\.name).filter {
        orderColumns[table.name]?.contains($0) != true
      }
    }
    let pairs = members.map { tablesOfPairs(among: $0) }
    for join in joins where pairs?.contains(join.name) ?? true {
      required[join.name] = join.columns
    }
    return required
  }

  /// The columns of all tables of rows and of pairs, by table.
  package var layoutColumns: [String: [String]] {
    let all =
      tables.map { ($0.name, $0.columns.map(\.name)) }
      + joins.map { ($0.name, $0.columns + $0.orderColumns) }
    return Dictionary(all) { first, _ in first }
  }

  /// The names of the tables with pairs of objects of the given entities.
  private func tablesOfPairs(among members: Set<Int>) -> Set<String> {
    var names: Set<String> = []
    for index in members {
      for property in model.entities[index].properties {
        guard case .join(let side)? = storage(of: property),
          let destination = property.relationship?.destinationIndex, members.contains(destination)
        else { continue }
        names.insert(side.table)
      }
    }
    return names
  }
}
