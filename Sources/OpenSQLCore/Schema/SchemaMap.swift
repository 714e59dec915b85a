package import OpenObjectModel
package import OpenStoreContract

/// The tables and columns of a model in Apple's layout. A store creates the map when the store is
/// opened.
package final class SchemaMap: Sendable {
  package let model: CompiledModel
  package let numbers: EntityNumbers
  /// The slots of the entity discriminators that the store must convert, for each entity by index
  /// in the model.
  ///
  /// The store converts entity discriminators if the entity numbers are not the numbers of Apple's
  /// layout. Otherwise, the sets are empty.
  package let translatedSlots: [Set<Int>]
  let dialect: any SQLDialect
  /// The tables and columns of the entities, by index in the model.
  package let entities: [EntityMap]
  package let uniqueness: [UniquenessMap]
  package let joins: [JoinTable]
  /// The tables of entities, in the order of the root entities.
  let tables: [SQLCreateTable]
  /// The columns with a separate index, by root entity.
  let indexed: [Int: [String]]
  /// The columns that the file's tables lack for the positions of members in ordered relationships,
  /// by table name; empty for a new file.
  package let missingOrderColumns: [String: [String]]
  private let orderColumns: [String: Set<String>]
  private let toMany: [Int: [String: ToManyStorage]]

  /// Creates the map of a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - existing: The columns of the file's tables, by table; nil for a new file. The existing
  ///     columns determine the names for which the layout allows several choices.
  ///   - dialect: The dialect of the statements.
  ///   - numbers: The numbers of the entities.
  /// - Throws: `StoreError` with code `.unsupported` if the layout does not support a property.
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

  /// Returns the expected columns that existing tables lack.
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

  /// Returns the index of the entity with the given number; nil for an unknown number.
  func entityIndex(numbered number: Int64) -> Int? {
    let index = numbers.index(of: number)
    return model.entities.indices.contains(index) ? index : nil
  }

  /// Returns the storage of a to-many relationship; nil for other properties.
  package func storage(of property: CompiledProperty) -> ToManyStorage? {
    toMany[property.declaringEntityIndex]?[property.name]
  }

  /// Returns the storage of the relationship of a join row.
  ///
  /// - Throws: `StoreError` with code `.unsupported` if the property of the join row is not a
  ///   stored to-many relationship.
  package func storage(of joinRow: ChangeSet.JoinRow) throws(StoreError) -> ToManyStorage {
    let entity = model.entities[joinRow.entityIndex]
    guard entity.properties.indices.contains(joinRow.ordinal),
      let storage = storage(of: entity.properties[joinRow.ordinal])
    else {
      throw StoreError(
        .unsupported, "A join row refers to a property that is not a stored to-many relationship.",
        entityName: entity.name)
    }
    return storage
  }

  /// Returns the storage of every to-many relationship of an entity.
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

  /// Returns the statements that create a new file, in Apple's order: tables, indexes, triggers of
  /// derived attributes, R-tree indexes, and the tables that every file has.
  package func statements() -> [SQLStatement] {
    tableStatements() + indexStatements() + triggerStatements() + spatialStatements()
      + Self.fixedTables
  }

  /// Returns the statements that create the entity tables. Each entity table is followed by the
  /// join tables that are named after its entities.
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

  /// Returns the statements that create the indexes of all tables, except R-tree indexes.
  package func indexStatements() -> [SQLStatement] {
    IndexNaming(schema: self).indexes().map { .createIndex($0) }
  }

  /// Returns the statements that create the triggers of derived attributes.
  ///
  /// The triggers call the functions of the dialect and two other functions,
  /// `NSCoreDataDATriggerUpdatedAffectedObjectValue` and
  /// `NSCoreDataDATriggerInsertUpdatedAffectedObjectValue`. Each of these two functions receives
  /// the table, the entity number, the key, the name of the attribute and the new value. A
  /// connection that writes must provide all functions. Because entities share tables, the entity
  /// of a reported row may lack the attribute.
  package func triggerStatements() -> [SQLStatement] {
    DerivationTriggers(schema: self, dialect: dialect).triggers().map { .createTrigger($0) }
  }

  /// Returns the statements that create the R-tree indexes and their triggers.
  package func spatialStatements() -> [SQLStatement] {
    IndexNaming(schema: self).spatialIndexes().flatMap { index in
      SQLSpatialIndex.Part.allCases.map { .createSpatialIndex(index, $0) }
    }
  }

  /// The statements that create the tables and indexes of persistent history.
  package var historyStatements: [SQLStatement] {
    HistoryTables.statements(tombstoneCount: HistoryTables.tombstoneCount(of: model))
  }

  /// The number of values that the history preserves of a deleted row.
  package var tombstoneCount: Int { HistoryTables.tombstoneCount(of: model) }

  /// The columns of the tables of persistent history, with their types.
  package var historyColumns: [(table: String, columns: [(String, String)])] {
    HistoryTables.columns(tombstoneCount: tombstoneCount)
  }

  /// Returns the first columns of every entity table.
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

  /// The tables that every file has in addition to the tables of entities.
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

  /// Returns the columns that a file must have for this model, by table.
  ///
  /// The columns of member positions are not required. Without these columns, relationships have no
  /// order.
  ///
  /// - Parameter members: The indexes of the entities in the file; nil for all entities. Tables of
  ///   other entities, and their join tables, may be missing.
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

  /// The columns of all entity tables and join tables, by table.
  package var layoutColumns: [String: [String]] {
    let all =
      tables.map { ($0.name, $0.columns.map(\.name)) }
      + joins.map { ($0.name, $0.columns + $0.orderColumns) }
    return Dictionary(all) { first, _ in first }
  }

  /// Returns the names of the join tables between the given entities.
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
