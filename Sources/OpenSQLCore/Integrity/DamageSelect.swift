import OpenObjectModel
package import OpenStoreContract

/// A statement that finds damaged rows of one kind, and what to report of each.
package struct DamageSelect: Sendable {
  package let kind: StoreDamage.Kind
  /// Position of the entity in the model.
  package let entityIndex: Int
  package let propertyName: String?
  /// Selects the key to report, and the detail.
  package let select: SQLSelect

  /// The report on one row.
  package func damage(key: Int64, detail: Int64) -> StoreDamage {
    StoreDamage(
      kind, entityIndex: entityIndex, propertyName: propertyName, key: key, detail: "\(detail)")
  }
}

extension SchemaMap {
  /// The statements for rows of unknown entities, and for pairs without objects or without their reverse.
  package var damageSelects: [DamageSelect] {
    entities.filter { $0.entity.superIndex == nil }.map(unknownEntities)
      + model.entities.flatMap { entity in
        entity.ownProperties.flatMap { pairs(of: $0, entity) }
      }
  }

  private func unknownEntities(of root: EntityMap) -> DamageSelect {
    let number = SQLExpression.column(table: nil, "Z_ENT")
    var select = SQLSelect(
      [.column(table: nil, "Z_PK"), number], from: .table(root.table, alias: nil))
    select.condition = .any([
      .isNull(number),
      .not(.isIn(number, root.tableEntities.map { .integer(numbers.number(of: $0)) })),
    ])
    select.order = [.init(expression: .column(table: nil, "Z_PK"), isAscending: true)]
    return DamageSelect(
      kind: .unknownEntity, entityIndex: root.entity.index, propertyName: nil, select: select)
  }

  private func pairs(of property: CompiledProperty, _ entity: CompiledEntity) -> [DamageSelect] {
    guard let relationship = property.relationship, let storage = storage(of: property) else {
      return []
    }
    func found(_ kind: StoreDamage.Kind, _ select: SQLSelect) -> DamageSelect {
      DamageSelect(
        kind: kind, entityIndex: entity.index, propertyName: property.name, select: select)
    }
    switch storage {
    case .join(let side):
      // One of the two relationships names the table; each is looked at from its own side.
      let destination = model.entities[relationship.destinationIndex]
      let orphans = found(.orphanedJoinRow, orphans(of: side, property, entity, destination))
      return side.isReflexive ? [orphans, found(.oneSidedJoinRow, oneSided(side))] : [orphans]
    case .foreignKey(let key) where key.isHidden:
      return [found(.orphanedJoinRow, orphans(of: key, entity))]
    case .foreignKey: return []  // A property of the destination holds the key.
    }
  }

  /// Join rows without a destination, reported for their source.
  ///
  /// A join row without both objects is found from both sides, and reported from one.
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

  /// Keys of missing owners, in a column without a property.
  private func orphans(of key: ToManyStorage.ForeignKey, _ entity: CompiledEntity) -> SQLSelect {
    var select = Self.select(key.column, "Z_PK", from: key.table)
    select.condition = .all([
      .isNotNull(Self.own(key.column)), .not(hasRow(entity, Self.own(key.column))),
    ])
    return select
  }

  /// Pairs of a relationship that is its own inverse, of which the reverse is missing.
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

  /// Two columns, in their order.
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
