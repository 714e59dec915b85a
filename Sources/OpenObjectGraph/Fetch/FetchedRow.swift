internal import Foundation
public import OpenPredicates
internal import OpenStoreContract

/// One result of a fetch with `resultType` `.dictionaryResultType`, read column by column.
///
/// The result type of a request determines the type of its dictionaries. `NSFetchRequest<FetchedRow>` copies nothing:
/// all results share the names and the values of their fetch, and a value becomes an object when it is read.
/// `NSDictionary` and `[String: Any]`, which contain copies of both, take several times as long.
///
/// Immutable. A row is not a dictionary, so a cast to one fails; use ``dictionary`` instead.
///
/// An addition to Apple's API.
///
/// > Concurrency: Confined, like its values, to the queue of the context that fetched it.
public struct FetchedRow: KeyValueReadable {
  private let rows: ResultRows
  private let row: Int

  init(_ rows: ResultRows, _ row: Int) {
    self.rows = rows
    self.row = row
  }

  /// Hands over where the values are.
  func withRow(
    _ body: (ResultRows, Range<Int>) throws(StoreError) -> Void
  ) throws(StoreError) { try body(rows, row..<row + 1) }

  /// The value of a column: a number as `NSNumber`, a to-one relationship as `NSManagedObjectID`.
  ///
  /// - Parameter name: The name of the property or of the expression description.
  /// - Returns: nil when the column has no value, and when there is no such column.
  public subscript(name: String) -> Any? { rows.value(of: name, in: row) }

  /// The names of the columns that have a value, in the order of the request.
  public var keys: [String] {
    zip(rows.columns.keys.names, rows.values(of: row))
      .filter { $0.1 != OpenPredicates.Value.null }.map(\.0)
  }

  /// The number of columns that have a value.
  public var count: Int { keys.count }

  /// The values by their names, without those that are nil.
  public var dictionary: [String: Any] { rows.dictionary(row) }

  /// The value of a column, for sort descriptors and predicates.
  ///
  /// - Returns: The value of a column; nil if there is none.
  public func readableValue(forKey key: String) -> Any? {
    if let position = rows.columns.keys.position(of: key) { return rows.value(position, of: row) }
    let prefix = key + "."
    guard rows.columns.keys.names.contains(where: { $0.hasPrefix(prefix) }) else {
      return NoSuchKey.marker
    }
    return ColumnPath(row: self, prefix: prefix)
  }
}

/// The first steps of the name of a column that is a key path.
private struct ColumnPath: KeyValueReadable {
  let row: FetchedRow
  let prefix: String

  func readableValue(forKey key: String) -> Any? { row.readableValue(forKey: prefix + key) }
}
