/// A statement with its bound values.
struct PostgresCommand {
  let text: String
  var values: [PostgresValue] = []
  /// Whether the statement stays prepared on the server. The value is false for statements that run
  /// once.
  var isKept = true

  init(_ text: String, _ values: [PostgresValue] = [], isKept: Bool = true) {
    self.text = text
    self.values = values
    self.isKept = isKept
  }

  /// Begins a transaction that writes. Each statement sees what other transactions have committed
  /// before the statement, whatever the server's default is.
  static let begin = PostgresCommand("BEGIN ISOLATION LEVEL READ COMMITTED")

  /// Begins a transaction whose reads all see the same state of the database.
  static let beginSnapshot = PostgresCommand("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
}
