package import Foundation
package import OpenStoreContract

/// A row of the result of a small statement. The row is valid until the next row is read.
package protocol SQLRow {
  /// Returns the value of a column as an integer; 0 for null.
  func integer(_ column: Int) -> Int64
  /// Returns the value of a column as a floating-point number; 0 for null.
  func real(_ column: Int) -> Double
  /// Returns the value of a column as text; nil for null.
  func text(_ column: Int) -> String?
  /// Returns the value of a column as bytes; nil for null.
  func data(_ column: Int) -> Data?
}

/// A connection that runs statements on a store's own tables, such as its metadata and the numbers
/// of its entities, and statements that create, check or migrate tables. Objects are fetched and
/// saved without this protocol.
///
/// > Concurrency: Confined to the call that uses the connection.
package protocol SQLSession {
  associatedtype Dialect: SQLDialect
  associatedtype ResultRow: SQLRow
  var dialect: Dialect { get }
  /// The path of the store, for error messages; nil if the path is unknown.
  var path: String? { get }
  /// Runs a statement with bound values, and calls `body` for each row of its result.
  ///
  /// - Parameters:
  ///   - text: The text of the statement.
  ///   - values: The values of the placeholders, in order.
  ///   - body: A closure that receives each row. The row is valid only during the call.
  /// - Throws: `StoreError` with the code of the database's failure if the statement fails; the
  ///   error of `body`.
  func forEachRow(
    of text: String, binding values: [SlotContent],
    _ body: (ResultRow) throws(StoreError) -> Void
  ) throws(StoreError)
}

extension SQLSession {
  /// Runs a statement with bound values, and calls `body` for each row of its result.
  ///
  /// - Parameters:
  ///   - statement: The statement as a tree.
  ///   - values: The values of the placeholders, in order.
  ///   - body: A closure that receives each row. The row is valid only during the call.
  /// - Throws: `StoreError` with the code of the database's failure if the statement fails; the
  ///   error of `body`.
  package func forEachRow(
    of statement: SQLStatement, binding values: [SlotContent] = [],
    _ body: (ResultRow) throws(StoreError) -> Void
  ) throws(StoreError) {
    let text = SQLRenderer.render(statement, for: dialect).text
    try forEachRow(of: text, binding: values, body)
  }

  /// Runs a statement that returns no rows.
  ///
  /// - Parameters:
  ///   - statement: The statement as a tree.
  ///   - values: The values of the placeholders, in order.
  /// - Throws: `StoreError` with the code of the database's failure if the statement fails.
  package func execute(
    _ statement: SQLStatement, binding values: [SlotContent] = []
  ) throws(StoreError) {
    try forEachRow(of: statement, binding: values) { _ in }
  }

  /// Returns the result of a statement that counts rows; 0 if the statement returns no row.
  ///
  /// - Parameter select: The statement, whose first column is the number of rows.
  /// - Throws: `StoreError` with the code of the database's failure if the statement fails.
  package func count(_ select: SQLSelect) throws(StoreError) -> Int {
    var count: Int64 = 0
    try forEachRow(of: .select(select)) { count = $0.integer(0) }
    return Int(count)
  }
}
