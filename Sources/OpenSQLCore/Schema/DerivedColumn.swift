import OpenObjectModel

/// The column of a derived attribute, with the parts that its triggers have in common.
struct DerivedColumn {
  /// The role of the rows that a trigger watches.
  enum Role: String {
    /// The row that has the derived attribute.
    case source = "SOURCE"
    /// A row from which the value is computed.
    case parameter = "PARAMETER"
  }

  /// The SQL function of Apple's framework to which a trigger reports the new value.
  enum Report: String {
    case updated = "NSCoreDataDATriggerUpdatedAffectedObjectValue"
    case inserted = "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"
  }

  /// A change after which a trigger runs.
  struct Change {
    var role: Role
    var table: String
    var event: SQLCreateTrigger.Event
    /// The end of the trigger's name.
    var suffix: String
    var condition: SQLExpression?
    var report = Report.updated
  }

  let entityName: String
  let attributeName: String
  let table: String
  let column: String

  /// Returns a trigger that sets the column in the rows that satisfy a condition.
  func trigger(
    after change: Change, set value: SQLExpression, where rows: SQLExpression
  ) -> SQLCreateTrigger {
    var report = SQLSelect(
      [
        .function(
          change.report.rawValue,
          [
            .text(table), .named("Z_ENT"), .named("Z_PK"), .text(attributeName),
            .named(column),
          ])
      ], from: .table(table, alias: nil))
    report.condition = rows
    return SQLCreateTrigger(
      "Z_DA_\(change.table)_\(entityName)_\(attributeName)_\(change.role.rawValue)_\(change.suffix)",
      after: change.event, on: change.table, when: change.condition,
      [.update(SQLUpdate(table, set: [(column, value)], where: rows)), .select(report)])
  }

  /// Returns the triggers that set the column of a row when the row is inserted or when some of its
  /// columns change.
  func sourceTriggers(
    watching columns: [String], set value: SQLExpression
  ) -> [SQLCreateTrigger] {
    let row = Self.isKey(.column(table: "NEW", "Z_PK"))
    return [
      trigger(after: insertion, set: value, where: row),
      trigger(
        after: Change(role: .source, table: table, event: .update(columns), suffix: "UPDATE"),
        set: value, where: row),
    ]
  }

  /// The insertion of a row with the attribute.
  var insertion: Change {
    Change(role: .source, table: table, event: .insert, suffix: "INSERT", report: .inserted)
  }

  /// Returns the condition that a row has a key.
  static func isKey(_ key: SQLExpression) -> SQLExpression { .binary(.equal, .named("Z_PK"), key) }
}
