/// A CREATE TRIGGER that runs after a change, for each row; its text is that of Apple's files.
package struct SQLCreateTrigger: Sendable, Hashable {
  /// The change that a trigger runs after.
  package enum Event: Sendable, Hashable {
    case insert
    /// A change of one of the columns.
    case update([String])
    case delete
  }

  /// The trigger's name.
  package var name: String
  /// The change that it runs after.
  package var event: Event
  /// The table that it watches.
  package var table: String
  /// Restricts the trigger to rows that satisfy it.
  package var condition: SQLExpression?
  /// What it runs, in order.
  package var steps: [SQLStatement]

  /// Creates a trigger.
  package init(
    _ name: String, after event: Event, on table: String, when condition: SQLExpression? = nil,
    _ steps: [SQLStatement]
  ) {
    self.name = name
    self.event = event
    self.table = table
    self.condition = condition
    self.steps = steps
  }
}
