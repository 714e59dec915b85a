import OpenObjectModel

extension DerivationTriggers {
  typealias Hop = DerivedAttribute.Hop

  /// Returns the triggers of an attribute that is derived from the same row, or from a row at the
  /// end of to-one relationships.
  func triggers(
    for column: DerivedColumn, path steps: [String], of map: EntityMap,
    changing change: @escaping (SQLExpression) -> SQLExpression
  ) -> [SQLCreateTrigger] {
    guard let (hops, value) = resolve(steps, from: map) else { return [] }
    let new = SQLExpression.column(table: "NEW", value)
    // Another trigger may have computed the value after the row was inserted.
    let isDerived = isDerived(value, in: hops.last?.table ?? map.table)
    guard let first = hops.first else {
      return column.sourceTriggers(
        watching: [value], set: change(isDerived ? .named(value) : new))
    }
    let set = { (index: Int, key: SQLExpression) in
      Self.value(change(SQLExpression.named(value)), behind: hops[index...], key)
    }
    var triggers = column.sourceTriggers(
      watching: [first.key], set: set(0, .column(table: "NEW", first.key)))
    triggers += parameterTriggers(
      column, watching: value, hops[...],
      set: isDerived ? set(hops.count - 1, .column(table: "NEW", "Z_PK")) : change(new))
    for index in hops.indices.dropFirst().reversed() {
      triggers += parameterTriggers(
        column, watching: hops[index].key, hops[..<index],
        set: set(index, .column(table: "NEW", hops[index].key)))
    }
    return triggers
  }

  /// Returns the to-one relationships of a path and the column at its end; nil for a path with
  /// other relationships or with more than ``Derivation/longestPath`` steps.
  func resolve(_ steps: [String], from map: EntityMap) -> (hops: [Hop], value: String)? {
    guard steps.count <= Derivation.longestPath else { return nil }
    var hops: [Hop] = []
    var reached = map
    for (index, step) in steps.enumerated() {
      guard let next = relationship(step, of: reached), index < steps.count - 1 else {
        let rest = steps[index...].joined(separator: ".")
        return reached.column(named: rest).map { (hops, $0) }
      }
      guard let slot = next.property.slot else { return nil }
      hops.append(Hop(key: reached.columns[slot].name, table: next.destination.table))
      reached = next.destination
    }
    return nil
  }

  /// Returns whether a column contains the values of a derived attribute.
  private func isDerived(_ column: String, in table: String) -> Bool {
    schema.entities.contains { map in
      guard map.table == table else { return false }
      return map.entity.ownProperties.contains { property in
        property.attribute?.derivation != nil
          && property.slot.map { map.columns[$0].name == column } == true
      }
    }
  }

  /// Returns the triggers for the source rows of a value and for the rows in the path.
  private func parameterTriggers(
    _ column: DerivedColumn, watching watched: String, _ hops: ArraySlice<Hop>,
    set value: SQLExpression
  ) -> [SQLCreateTrigger] {
    guard let table = hops.last?.table else { return [] }
    let owners = Self.reaches(.column(table: "NEW", "Z_PK"), over: hops)
    return [
      column.trigger(
        after: .init(
          role: .parameter, table: table, event: .insert, suffix: "INSERT", report: .inserted),
        set: value, where: owners),
      column.trigger(
        after: .init(
          role: .parameter, table: table, event: .update([watched]), suffix: "UPDATE"),
        set: value, where: owners),
    ]
  }

  /// Returns the value at the end of relationships that start at the row with the given key.
  private static func value(
    _ value: SQLExpression, behind hops: ArraySlice<Hop>, _ key: SQLExpression
  ) -> SQLExpression {
    guard let hop = hops.first else { return value }
    let rest = hops.dropFirst()
    let select = SQLSelect(
      [rest.first.map { SQLExpression.named($0.key) } ?? value], from: hop.table,
      where: DerivedColumn.isKey(key))
    return rest.isEmpty ? .scalar(select) : Self.value(value, behind: rest, .scalar(select))
  }

  /// Returns the condition that relationships lead to the row with the given key.
  private static func reaches(
    _ key: SQLExpression, over hops: ArraySlice<Hop>
  ) -> SQLExpression {
    guard let hop = hops.first else { return DerivedColumn.isKey(key) }
    let own = SQLExpression.named(hop.key)
    if hops.count == 1 { return .binary(.equal, own, key) }
    return .isInResult(
      own, SQLSelect(["Z_PK"], from: hop.table, where: reaches(key, over: hops.dropFirst())))
  }
}
