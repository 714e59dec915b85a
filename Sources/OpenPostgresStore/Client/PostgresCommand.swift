import Foundation
import OpenStoreContract

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

  /// Returns the size of the values, in bytes.
  ///
  /// - Parameter place: The URL of the store without its password, for the error message.
  /// - Throws: `StoreError` with code `.unfitValue` if the server does not accept values of this
  ///   size, or with code `.unsupportedPredicate` if there are more than 65,535 values.
  func fittingSize(in place: String) throws(StoreError) -> Int {
    guard values.count <= UInt16.max else {
      throw StoreError(
        .unsupportedPredicate, "The request has more than 65,535 values. Use shorter predicates.",
        path: place)
    }
    let size = values.byteCount
    // The server closes the connection if a statement reaches one gigabyte.
    guard size < (1 << 30) - (1 << 20) else {
      throw StoreError(
        .unfitValue, "The values are larger than one gigabyte. The server does not accept them.",
        path: place, statement: text)
    }
    return size
  }

  /// Begins a transaction that writes. Each statement sees what other transactions have committed
  /// before the statement, regardless of the server's default isolation level.
  static let begin = PostgresCommand("BEGIN ISOLATION LEVEL READ COMMITTED")

  /// Begins a transaction whose reads all see the same state of the database.
  static let beginSnapshot = PostgresCommand("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

  static let commit = PostgresCommand("COMMIT")
  static let rollback = PostgresCommand("ROLLBACK")
}

extension StatementTrace {
  /// Reports the statements of one round trip, which share its time.
  ///
  /// - Parameter start: The time when the round trip began, in seconds since the reference date.
  func reportRoundTrip(
    of commands: [PostgresCommand], _ rowCounts: [Int], since start: Double
  ) {
    let seconds = (Date().timeIntervalSinceReferenceDate - start) / Double(commands.count)
    for (command, rowCount) in zip(commands, rowCounts) {
      let shown = detail >= .rows ? rowCount : nil
      report(Run(text: command.text, seconds: seconds, rowCount: shown))
    }
  }
}
