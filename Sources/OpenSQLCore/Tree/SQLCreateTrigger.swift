/// A CREATE TRIGGER statement for a trigger that runs after each change to a row. The text is
/// identical to Apple's.
package struct SQLCreateTrigger: Sendable, Hashable {
  /// The change that a trigger runs after.
  package enum Event: Sendable, Hashable {
    /// The insertion of a row.
    case insert
    /// A change to one of the columns.
    case update([String])
    /// The deletion of a row.
    case delete
  }

  /// The trigger's name.
  package var name: String
  /// The change after which the trigger runs.
  package var event: Event
  /// The table that the trigger watches.
  package var table: String
  /// The condition that a row must satisfy; nil if the trigger runs for every row.
  package var condition: SQLExpression?
  /// The statements that the trigger runs, in order.
  package var steps: [SQLStatement]

  /// Creates a statement that creates a trigger.
  ///
  /// - Parameters:
  ///   - name: The trigger's name.
  ///   - event: The change after which the trigger runs.
  ///   - table: The table that the trigger watches.
  ///   - condition: The condition that a row must satisfy; nil to run the trigger for every row.
  ///   - steps: The statements that the trigger runs, in order.
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
