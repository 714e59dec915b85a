import OpenObjectModel
import OpenStoreContract

/// What is done to rows once they are in the tables of the destination.
extension SchemaMigration {
  /// The statements that set what depends on other rows: entity discriminators of keys, and references to missing
  /// rows.
  func referenceSteps() -> [MigrationStep] {
    var steps: [MigrationStep] = []
    for map in destination.entities {
      for property in map.entity.ownProperties {
        guard let relationship = property.relationship else { continue }
        let target = destination.entities[relationship.destinationIndex]
        if property.slot != nil {
          if origins.mayDangle(property) { steps += clearing(property, of: map, target, origins) }
          steps += discriminators(property, relationship, of: map, target)
        } else if case .foreignKey(let key)? = destination.storage(of: property), key.isHidden,
          origins.mayDangle(property)
        {
          steps.append(
            clear(
              [key.column, key.orderColumn].compactMap { $0 }, of: key.table, key: key.column,
              without: map))
        }
      }
    }
    return steps + joins.filter(\.mayDangle).map { Self.clearing($0) }
  }

  private func clearing(
    _ property: CompiledProperty, of map: EntityMap, _ target: EntityMap,
    _ origins: RelationshipOrigins
  ) -> [MigrationStep] {
    guard let slot = property.slot else { return [] }
    var columns = [map.columns[slot].name]
    if let discriminator = property.relationship?.discriminatorSlot {
      columns.append(map.columns[discriminator].name)
    }
    if let order = origins.inverse(of: property).flatMap({
      destination.storage(of: $0)?.orderColumn
    }) {
      columns.append(order)
    }
    return [clear(columns, of: map.table, key: columns[0], without: target)]
  }

  private func clear(
    _ columns: [String], of table: String, key: String, without target: EntityMap
  ) -> MigrationStep {
    let own = SQLExpression.column(table: "o", key)
    var update = SQLUpdate(
      table, set: columns.map { ($0, .null) },
      where: .all([.isNotNull(own), .not(Self.exists(target, own))]))
    update.alias = "o"
    return .rows(of: table, .update(update))
  }

  private static func clearing(_ join: JoinMigration) -> MigrationStep {
    var delete = SQLDelete(
      from: join.table.name,
      where: .any([
        .not(exists(join.ends.0, .column(table: "o", join.columns[0]))),
        .not(exists(join.ends.1, .column(table: "o", join.columns[1]))),
      ]))
    delete.alias = "o"
    return .rows(of: join.table.name, .delete(delete))
  }

  /// That there is a row of an entity or of its subentities with a key.
  private static func exists(_ map: EntityMap, _ key: SQLExpression) -> SQLExpression {
    var select = SQLSelect([.integer(1)], from: .table(map.table, alias: "d"))
    select.condition = .all([
      .binary(.equal, .column(table: "d", "Z_PK"), key), subtree(of: map, row: "d"),
    ])
    return .exists(select)
  }

  private static func subtree(of map: EntityMap, row: String) -> SQLExpression {
    .between(
      .column(table: row, "Z_ENT"), .integer(Int64(map.entity.subtree.lowerBound) + 1),
      .integer(Int64(map.entity.subtree.upperBound)))
  }

  /// Recomputes entity discriminators that are new, or whose entities have other numbers.
  private func discriminators(
    _ property: CompiledProperty, _ relationship: CompiledRelationship, of map: EntityMap,
    _ target: EntityMap
  ) -> [MigrationStep] {
    guard let slot = property.slot, let discriminator = relationship.discriminatorSlot,
      let table = tables.first(where: { $0.table.name == map.table }), table.source != nil
    else { return [] }
    let (key, column) = (map.columns[slot].name, map.columns[discriminator].name)
    let renumbered = target.entity.subtree.contains { index in
      transition.entities[index].map { $0.sourceIndex != index } ?? false
    }
    let isMissing = table.isMissing(column, beside: key)
    guard renumbered || isMissing else { return [] }
    var number = SQLSelect(
      [.column(table: "d", "Z_ENT")], from: .table(target.table, alias: "d"))
    let own = SQLExpression.column(table: "o", key)
    number.condition = .binary(.equal, .column(table: "d", "Z_PK"), own)
    var update = SQLUpdate(
      map.table, set: [(column, .scalar(number))],
      where: .all([.isNotNull(own), Self.subtree(of: map, row: "o")]))
    update.alias = "o"
    return [.rows(of: map.table, .update(update))]
  }

  /// The statements that compute derived attributes whose values are new.
  func derivationSteps() -> [MigrationStep] {
    let triggers = DerivationTriggers(schema: destination, dialect: SQLiteDialect())
    return destination.entities.flatMap { map in
      map.entity.ownProperties.compactMap { property in
        guard property.attribute?.derivation != nil, let slot = property.slot,
          let table = tables.first(where: { $0.table.name == map.table }),
          table.lacks(map.columns[slot].name),
          let update = triggers.computation(of: property, in: map)
        else { return nil }
        return .rows(of: map.table, .update(update))
      }
    }
  }
}

extension TableMigration {
  private func position(of column: String) -> Int? {
    columns.firstIndex { $0.name == column }
  }

  /// Whether rows have keys without entity discriminators.
  func isMissing(_ discriminator: String, beside key: String) -> Bool {
    guard let one = position(of: discriminator), let other = position(of: key) else { return false }
    return parts.contains { $0.columns[other] != .nothing && $0.columns[one] == .nothing }
  }

  /// Whether rows come without a value of a column.
  func lacks(_ column: String) -> Bool {
    guard let position = position(of: column) else { return false }
    return parts.contains { $0.columns[position] == .nothing }
  }
}
