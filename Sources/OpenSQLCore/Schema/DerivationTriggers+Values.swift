import OpenObjectModel

/// The computation of derived attributes in all rows, for rows that were written without triggers.
extension DerivationTriggers {
  /// The alias of the row with the attribute.
  private static let row = "derived"

  /// Returns the statement that computes an attribute for the rows of its entity and subentities;
  /// nil if the derivation refers to properties that the model does not contain.
  func computation(of property: CompiledProperty, in map: EntityMap) -> SQLUpdate? {
    guard let derivation = property.attribute?.derivation, let slot = property.slot,
      let value = value(derivation, in: map)
    else { return nil }
    var update = SQLUpdate(
      map.table, set: [(map.columns[slot].name, value)],
      where: .between(
        .column(table: Self.row, "Z_ENT"), .integer(Int64(map.entity.subtree.lowerBound) + 1),
        .integer(Int64(map.entity.subtree.upperBound))))
    update.alias = Self.row
    return update
  }

  private func value(_ derivation: Derivation, in map: EntityMap) -> SQLExpression? {
    switch derivation {
    case .value(let steps): return value(at: steps, from: map) { $0 }
    case .text(let text, let steps):
      return value(at: steps, from: map) { .function(name(of: text), [$0]) }
    case .count(let name):
      return storage(of: name, in: map).map(count)
    case .sum(let name, let attribute):
      guard let (property, destination) = relationship(name, of: map),
        let storage = schema.storage(of: property),
        let summand = destination.column(named: attribute)
      else { return nil }
      return Self.sum(
        of: summand, destination.table, storage, .column(table: Self.row, "Z_PK"))
    case .now: return .function(dialect.saveTimeFunction, [])
    }
  }

  /// Returns the number of the row's members.
  func count(_ storage: ToManyStorage) -> SQLExpression {
    let (table, key) = storage.owners
    var count = SQLSelect([.countAll], from: .table(table, alias: "t0"))
    count.condition = .binary(
      .equal, .column(table: "t0", key), .column(table: Self.row, "Z_PK"))
    return .scalar(count)
  }

  private func value(
    at steps: [String], from map: EntityMap, _ change: (SQLExpression) -> SQLExpression
  ) -> SQLExpression? {
    resolve(steps, from: map).map { value(behind: $0.hops, $0.value, change) }
  }

  /// Returns the value of a column at the end of relationships of the row.
  func value(
    behind hops: [Hop], _ value: String, _ change: (SQLExpression) -> SQLExpression
  ) -> SQLExpression {
    guard let first = hops.first else {
      return change(.column(table: Self.row, value))
    }
    let alias = { (index: Int) in "t\(index)" }
    var select = SQLSelect(
      [change(.column(table: alias(hops.count - 1), value))],
      from: .table(first.table, alias: alias(0)))
    select.condition = .binary(
      .equal, .column(table: alias(0), "Z_PK"), .column(table: Self.row, first.key))
    select.joins = hops.indices.dropFirst().map { index in
      SQLSelect.Join(
        .inner, hops[index].table, as: alias(index), having: "Z_PK",
        .column(table: alias(index - 1), hops[index].key))
    }
    return .scalar(select)
  }
}
