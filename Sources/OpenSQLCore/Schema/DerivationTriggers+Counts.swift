import OpenObjectModel

extension DerivationTriggers {
  private typealias Change = DerivedColumn.Change

  /// Returns the triggers of a count, which add or subtract 1 for each change of a member.
  func counting(_ storage: ToManyStorage, _ column: DerivedColumn) -> [SQLCreateTrigger] {
    let (table, key) = storage.owners
    let value = SQLExpression.named(column.column)
    let count = SQLSelect(
      [.function("IFNULL", [.function("COUNT", [.named(key)]), .integer(0)])], from: table,
      where: .binary(.equal, .named(key), .column(table: "NEW", "Z_PK")))
    let changes = changes(of: table, key: key, also: [])
    let values: [SQLExpression] = [
      .shifted(.function("IFNULL", [value, .integer(0)]), by: 1), .shifted(value, by: 1),
      .shifted(value, by: -1), .shifted(value, by: -1),
    ]
    return zip(changes, values).map { change, value in
      column.trigger(after: change.change, set: value, where: DerivedColumn.isKey(change.owner))
    } + [insertion(of: column, set: .scalar(count))]
  }

  /// Returns the triggers of a sum, which is recomputed for every affected owner.
  func sum(
    of attribute: String, over name: String, _ column: DerivedColumn, _ map: EntityMap
  ) -> [SQLCreateTrigger] {
    guard let (property, destination) = relationship(name, of: map),
      let storage = schema.storage(of: property),
      let summand = destination.column(named: attribute)
    else { return [] }
    let (table, key) = storage.owners
    let watched: [String]
    if case .join(let side) = storage { watched = [side.destination] } else { watched = [summand] }
    let sum = { owner in Self.sum(of: summand, destination.table, storage, owner) }
    var triggers = changes(of: table, key: key, also: watched).map { change, owner in
      column.trigger(after: change, set: sum(owner), where: DerivedColumn.isKey(owner))
    }
    if case .join(let side) = storage {
      triggers.append(
        column.trigger(
          after: Change(
            role: .parameter, table: destination.table, event: .update([summand]),
            suffix: "UPDATE"),
          set: sum(.column(table: column.table, "Z_PK")), where: Self.isOwner(in: side)))
    }
    return triggers + [insertion(of: column, set: sum(.column(table: "NEW", "Z_PK")))]
  }

  private func insertion(of column: DerivedColumn, set value: SQLExpression) -> SQLCreateTrigger {
    column.trigger(
      after: column.insertion, set: value,
      where: DerivedColumn.isKey(.column(table: "NEW", "Z_PK")))
  }

  /// Returns the changes of members, in Apple's order, each with the key of the affected owner.
  private func changes(
    of table: String, key: String, also columns: [String]
  ) -> [(change: Change, owner: SQLExpression)] {
    let update = SQLCreateTrigger.Event.update([key] + columns)
    let changes: [(SQLCreateTrigger.Event, String, String)] = [
      (.insert, "INSERT", "NEW"), (update, "UPDATE_INCREMENT", "NEW"),
      (update, "UPDATE_DECREMENT", "OLD"), (.delete, "DELETE", "OLD"),
    ]
    return changes.map { event, suffix, row in
      let owner = SQLExpression.column(table: row, key)
      let change = Change(
        role: .parameter, table: table, event: event, suffix: suffix,
        condition: .isPresent(owner))
      return (change, owner)
    }
  }

  static func sum(
    of summand: String, _ table: String, _ storage: ToManyStorage, _ owner: SQLExpression,
    present: String = "IFNULL"
  ) -> SQLExpression {
    let sum = SQLExpression.function(
      present, [.function("SUM", [.column(table: "t0", summand)]), .integer(0)])
    var select = SQLSelect([sum], from: .table(table, alias: "t0"))
    switch storage {
    case .foreignKey(let key):
      select.condition = .binary(.equal, .column(table: "t0", key.column), owner)
    case .join(let side):
      select.joins = [
        .init(
          .inner, side.table, as: "t1", having: side.destination, .column(table: "t0", "Z_PK"))
      ]
      select.condition = .binary(.equal, .column(table: "t1", side.source), owner)
    }
    return .scalar(select)
  }

  /// Returns the condition that a row is an owner of the changed destination.
  private static func isOwner(in side: ToManyStorage.JoinSide) -> SQLExpression {
    let owners = SQLSelect(
      [side.source], from: side.table,
      where: .binary(.equal, .named(side.destination), .column(table: "NEW", "Z_PK")))
    return .isInResult(.named("Z_PK"), owners)
  }
}

extension ToManyStorage {
  /// The table and the column of the owners' keys.
  var owners: (table: String, column: String) {
    switch self {
    case .foreignKey(let key): (key.table, key.column)
    case .join(let side): (side.table, side.source)
    }
  }

  /// The column of the members' keys in the table of ``owners``.
  var member: String { if case .join(let side) = self { side.destination } else { "Z_PK" } }
}
