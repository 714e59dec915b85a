import OpenObjectModel
package import OpenStoreContract

/// A statement that finds rows with one kind of damage, and the facts to report for each row.
private struct DamageSelect {
  let kind: StoreDamage.Kind
  /// The index of the entity in the model.
  let entityIndex: Int
  let propertyName: String?
  /// The tables that the statement reads.
  let tables: [String]
  /// The statement, whose columns are the key to report and the detail.
  let select: SQLSelect
}

extension SQLSession {
  /// Searches the tables of entities, the join tables and the key counters (the last keys in
  /// `Z_PRIMARYKEY`) for damage.
  ///
  /// - Parameters:
  ///   - schema: The tables of the store.
  ///   - tables: The names of the tables to search; nil for all tables of the schema.
  /// - Returns: The damage found; an empty array for an intact store.
  /// - Throws: `StoreError` with the code of the database's failure if the tables cannot be read.
  package func damage(
    in schema: SchemaMap, tables: Set<String>? = nil
  ) throws(StoreError) -> [StoreDamage] {
    func isSearched(_ table: String) -> Bool { tables?.contains(table) ?? true }
    var found: [StoreDamage] = []
    for root in schema.entities where root.entity.superIndex == nil && isSearched(root.table) {
      found += try keysInUse(root)
    }
    for search in schema.damageSelects where search.tables.allSatisfy(isSearched) {
      try forEachRow(of: .select(search.select)) { row in
        found.append(
          StoreDamage(
            search.kind, entityIndex: search.entityIndex, propertyName: search.propertyName,
            key: row.integer(0), detail: "\(row.integer(1))"))
      }
    }
    return found
  }

  private func keysInUse(_ root: EntityMap) throws(StoreError) -> [StoreDamage] {
    let keys = SQLSelect([.function("MAX", [.named("Z_PK")])], from: root.table)
    let counter = SQLSelect(
      ["Z_MAX"], from: "Z_PRIMARYKEY",
      where: .binary(.equal, .named("Z_ENT"), .integer(root.number)))
    let (greatest, counted) = (try count(keys), try count(counter))
    guard greatest > counted else { return [] }
    return [
      StoreDamage(
        .keysInUse, entityIndex: root.entity.index, key: Int64(greatest), detail: "\(counted)")
    ]
  }
}

extension SchemaMap {
  /// The statements that find rows of unknown entities, and join rows whose objects or whose
  /// reverse join row are missing.
  fileprivate var damageSelects: [DamageSelect] {
    entities.filter { $0.entity.superIndex == nil }.map(unknownEntities)
      + model.entities.flatMap { entity in
        entity.ownProperties.flatMap { pairs(of: $0, entity) }
      }
  }

  private func unknownEntities(of root: EntityMap) -> DamageSelect {
    let number = SQLExpression.named("Z_ENT")
    let known = root.tableEntities.map { SQLExpression.integer(numbers.number(of: $0)) }
    var select = SQLSelect(
      ["Z_PK", "Z_ENT"], from: root.table,
      where: .any([.isNull(number), .not(.isIn(number, known))]))
    select.order = [.init(expression: .column(table: nil, "Z_PK"), isAscending: true)]
    return DamageSelect(
      kind: .unknownEntity, entityIndex: root.entity.index, propertyName: nil,
      tables: [root.table], select: select)
  }

  private func pairs(of property: CompiledProperty, _ entity: CompiledEntity) -> [DamageSelect] {
    guard let relationship = property.relationship, let storage = storage(of: property) else {
      return []
    }
    func found(_ kind: StoreDamage.Kind, _ table: String, _ select: SQLSelect) -> DamageSelect {
      let ends = [entity.index, relationship.destinationIndex].map { entities[$0].table }
      return DamageSelect(
        kind: kind, entityIndex: entity.index, propertyName: property.name, tables: ends + [table],
        select: select)
    }
    switch storage {
    case .join(let side):
      // The table is checked from the side of each of the two relationships.
      let destination = model.entities[relationship.destinationIndex]
      let orphans = found(
        .orphanedJoinRow, side.table, orphans(of: side, property, entity, destination))
      return side.isReflexive
        ? [orphans, found(.oneSidedJoinRow, side.table, oneSided(side))] : [orphans]
    case .foreignKey(let key) where key.isHidden:
      return [found(.orphanedJoinRow, key.table, orphans(of: key, entity))]
    case .foreignKey: return []  // A property of the destination holds the key.
    }
  }

  /// Returns a statement for join rows without a destination, which are reported for their source.
  ///
  /// A join row whose two objects are missing is found from both sides, but reported only once.
  private func orphans(
    of side: ToManyStorage.JoinSide, _ property: CompiledProperty, _ entity: CompiledEntity,
    _ destination: CompiledEntity
  ) -> SQLSelect {
    let isSecond =
      property.relationship?.inverseOrdinal.map { ordinal in
        let inverse = destination.properties[ordinal]
        return (inverse.declaringEntityIndex, inverse.name) < (entity.index, property.name)
      } ?? false
    var select = Self.select(side.source, side.destination, from: side.table)
    select.condition = .all(
      [.not(hasRow(destination, Self.own(side.destination)))]
        + (isSecond ? [hasRow(entity, Self.own(side.source))] : []))
    return select
  }

  /// Returns a statement for the keys of missing owners in a foreign key column without a property.
  private func orphans(of key: ToManyStorage.ForeignKey, _ entity: CompiledEntity) -> SQLSelect {
    var select = Self.select(key.column, "Z_PK", from: key.table)
    select.condition = .all([
      .isNotNull(Self.own(key.column)), .not(hasRow(entity, Self.own(key.column))),
    ])
    return select
  }

  /// Returns a statement for the join rows without a reverse join row, in a relationship that is
  /// its own inverse.
  private func oneSided(_ side: ToManyStorage.JoinSide) -> SQLSelect {
    var reverse = SQLSelect([.integer(1)], from: .table(side.table, alias: "r"))
    reverse.condition = .all([
      .binary(.equal, .column(table: "r", side.source), Self.own(side.destination)),
      .binary(.equal, .column(table: "r", side.destination), Self.own(side.source)),
    ])
    var select = Self.select(side.source, side.destination, from: side.table)
    select.condition = .not(.exists(reverse))
    return select
  }

  private static func own(_ column: String) -> SQLExpression { .column(table: "l", column) }

  /// Returns a statement for two columns of a table, sorted by these columns.
  private static func select(_ one: String, _ other: String, from table: String) -> SQLSelect {
    var select = SQLSelect([own(one), own(other)], from: .table(table, alias: "l"))
    select.order = [one, other].map { .init(expression: own($0), isAscending: true) }
    return select
  }

  private func hasRow(_ entity: CompiledEntity, _ key: SQLExpression) -> SQLExpression {
    var select = SQLSelect([.integer(1)], from: .table(entities[entity.index].table, alias: "d"))
    select.condition = .all([
      .binary(.equal, .column(table: "d", "Z_PK"), key),
      numbers.condition(.column(table: "d", "Z_ENT"), in: entity.subtree),
    ])
    return .exists(select)
  }
}
