import OpenObjectModel
import OpenStoreContract

/// The changes of rows after they are in the tables of the destination.
extension SchemaMigration {
  /// Returns the statements that set values which depend on other rows: they write entity
  /// discriminators and clear references to missing rows.
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
    return steps + joins.filter(\.mayDangle).map { clearing($0) }
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
      where: .all([.isNotNull(own), .not(exists(target, own))]))
    update.alias = "o"
    return .rows(of: table, .update(update))
  }

  private func clearing(_ join: JoinMigration) -> MigrationStep {
    var delete = SQLDelete(
      from: join.table.name,
      where: .any([
        .not(exists(join.ends.0, .column(table: "o", join.columns[0]))),
        .not(exists(join.ends.1, .column(table: "o", join.columns[1]))),
      ]))
    delete.alias = "o"
    return .rows(of: join.table.name, .delete(delete))
  }

  /// Returns the condition that an entity or one of its subentities has a row with the given key.
  private func exists(_ map: EntityMap, _ key: SQLExpression) -> SQLExpression {
    var select = SQLSelect([.integer(1)], from: .table(map.table, alias: "d"))
    select.condition = .all([
      .binary(.equal, .column(table: "d", "Z_PK"), key), subtree(of: map, row: "d"),
    ])
    return .exists(select)
  }

  private func subtree(of map: EntityMap, row: String) -> SQLExpression {
    destination.numbers.condition(.column(table: row, "Z_ENT"), in: map.entity.subtree)
  }

  /// Returns the steps that recompute entity discriminators that are new or whose entities have new
  /// numbers.
  private func discriminators(
    _ property: CompiledProperty, _ relationship: CompiledRelationship, of map: EntityMap,
    _ target: EntityMap
  ) -> [MigrationStep] {
    guard let slot = property.slot, let discriminator = relationship.discriminatorSlot,
      let table = tables.first(where: { $0.table.name == map.table }), table.source != nil
    else { return [] }
    let (key, column) = (map.columns[slot].name, map.columns[discriminator].name)
    let renumbered = target.entity.subtree.contains { index in
      transition.entities[index].map {
        source.numbers.number(of: $0.sourceIndex) != destination.numbers.number(of: index)
      } ?? false
    }
    let isMissing = table.isMissing(column, beside: key)
    guard renumbered || isMissing else { return [] }
    var number = SQLSelect(
      [.column(table: "d", "Z_ENT")], from: .table(target.table, alias: "d"))
    let own = SQLExpression.column(table: "o", key)
    number.condition = .binary(.equal, .column(table: "d", "Z_PK"), own)
    var update = SQLUpdate(
      map.table, set: [(column, .scalar(number))],
      where: .all([.isNotNull(own), subtree(of: map, row: "o")]))
    update.alias = "o"
    return [.rows(of: map.table, .update(update))]
  }

  /// The derived attributes whose values must be computed, in the order of the computation.
  package var newDerivedAttributes: [DerivedAttribute] {
    destination.derivedAttributes.filter { attribute in
      tables.contains {
        $0.table.name == attribute.map.table && $0.source != nil
          && $0.lacks(attribute.column.name)
      }
    }.inOrderOfComputation
  }

  /// Returns the statements that compute the values of new derived attributes; empty for a product
  /// without triggers.
  func derivationSteps() -> [MigrationStep] {
    guard destination.dialect.hasTriggers else { return [] }
    let triggers = DerivationTriggers(schema: destination, dialect: destination.dialect)
    return newDerivedAttributes.compactMap { attribute in
      triggers.computation(of: attribute.property, in: attribute.map).map { update in
        MigrationStep.rows(of: attribute.map.table, .update(update))
      }
    }
  }
}

extension TableMigration {
  private func position(of column: String) -> Int? {
    columns.firstIndex { $0.name == column }
  }

  /// Returns whether some rows have a foreign key but no entity discriminator.
  func isMissing(_ discriminator: String, beside key: String) -> Bool {
    guard let one = position(of: discriminator), let other = position(of: key) else { return false }
    return parts.contains { $0.columns[other] != .nothing && $0.columns[one] == .nothing }
  }

  /// Returns whether some rows have no value for a column.
  func lacks(_ column: String) -> Bool {
    guard let position = position(of: column) else { return false }
    return parts.contains { $0.columns[position] == .nothing }
  }
}
