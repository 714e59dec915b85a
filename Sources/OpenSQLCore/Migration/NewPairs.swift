import OpenObjectModel

/// The changes of rows that make both sides of a one-to-one relationship agree, if the sides were
/// not inverses of each other in the source.
struct NewPairs {
  /// One side of such a relationship, with its columns and the column of the other side.
  private struct Side {
    var owner: EntityMap
    var key: String
    var discriminator: String?
    var isOptional: Bool
    var destination: EntityMap
    var back: String
  }

  private let schema: SchemaMap
  private var sides: [Side] = []

  /// Finds the one-to-one relationships of the destination.
  init(_ origins: RelationshipOrigins) {
    schema = origins.destination
    for owner in schema.entities {
      for property in owner.entity.ownProperties where origins.isNewPair(property) {
        guard let relationship = property.relationship, let slot = property.slot,
          let back = origins.inverse(of: property)?.slot
        else { continue }
        let destination = schema.entities[relationship.destinationIndex]
        sides.append(
          Side(
            owner: owner, key: owner.columns[slot].name,
            discriminator: relationship.discriminatorSlot.map { owner.columns[$0].name },
            isOptional: property.isOptional, destination: destination,
            back: destination.columns[back].name))
      }
    }
  }

  /// The statements that complete the pairs of each relationship, and then clear optional
  /// references of one side that the other side does not have. They need the indexes of the tables.
  var steps: [MigrationStep] {
    sides.map { completion(of: $0) } + sides.filter(\.isOptional).map { clearing(of: $0) }
  }

  /// Returns the step in which rows without a destination refer to the row with the least key among
  /// the rows that refer to them.
  private func completion(of side: Side) -> MigrationStep {
    let own = SQLExpression.column(table: "o", "Z_PK")
    func referring(_ value: SQLExpression) -> SQLSelect {
      var select = SQLSelect([value], from: .table(side.destination.table, alias: "d"))
      select.condition = .all([
        .binary(.equal, .column(table: "d", side.back), own), rows("d", of: side.destination),
      ])
      return select
    }
    func least(_ column: String) -> SQLExpression {
      var select = referring(.column(table: "d", column))
      select.order = [
        .init(expression: .column(table: "d", "Z_PK"), isAscending: true, isOptional: false)
      ]
      select.limit = .integer(1)
      return .scalar(select)
    }
    var values = [(column: side.key, value: least("Z_PK"))]
    if let discriminator = side.discriminator { values.append((discriminator, least("Z_ENT"))) }
    return update(
      side, values,
      where: [.isNull(.column(table: "o", side.key)), .exists(referring(.integer(1)))])
  }

  private func clearing(of side: Side) -> MigrationStep {
    let key = SQLExpression.column(table: "o", side.key)
    var pair = SQLSelect([.integer(1)], from: .table(side.destination.table, alias: "d"))
    pair.condition = .all([
      .binary(.equal, .column(table: "d", "Z_PK"), key),
      .binary(.equal, .column(table: "d", side.back), .column(table: "o", "Z_PK")),
    ])
    let columns = [side.key] + [side.discriminator].compactMap { $0 }
    return update(
      side, columns.map { (column: $0, value: SQLExpression.null) },
      where: [.isNotNull(key), .not(.exists(pair))])
  }

  private func update(
    _ side: Side, _ values: [(column: String, value: SQLExpression)],
    where conditions: [SQLExpression]
  ) -> MigrationStep {
    var update = SQLUpdate(
      side.owner.table, set: values, where: .all(conditions + [rows("o", of: side.owner)]))
    update.alias = "o"
    return .rows(of: side.owner.table, .update(update))
  }

  private func rows(_ alias: String, of map: EntityMap) -> SQLExpression {
    schema.numbers.condition(.column(table: alias, "Z_ENT"), in: map.entity.subtree)
  }
}
