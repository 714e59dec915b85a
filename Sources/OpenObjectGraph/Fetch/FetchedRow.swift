internal import Foundation
public import OpenPredicates
internal import OpenStoreContract

/// One result of a fetch with `resultType` `.dictionaryResultType`, read column by column.
///
/// To fetch rows, use a request of the type `NSFetchRequest<FetchedRow>`. Such a fetch does not
/// copy names and values: the rows of a result share the same storage, and a value becomes an
/// object when it is read. Requests for `NSDictionary` or `[String: Any]` copy the names and the
/// values, and take several times as long.
///
/// A row is immutable. A row is not a dictionary, so a cast to a dictionary fails. Use
/// ``dictionary`` instead.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: A row and its values are confined to the queue of the context that fetched the
/// > row.
public struct FetchedRow: KeyValueReadable {
  private let rows: ResultRows
  private let row: Int

  init(_ rows: ResultRows, _ row: Int) {
    self.rows = rows
    self.row = row
  }

  /// Passes the shared values and the position of this row to a closure.
  func withRow(
    _ body: (ResultRows, Range<Int>) throws(StoreError) -> Void
  ) throws(StoreError) { try body(rows, row..<row + 1) }

  /// The values that the row has in common only with duplicates of it.
  var distinguishingValues: [OpenPredicates.Value] { rows.distinguishingValues(of: row) }

  /// The value of the column with the given name.
  ///
  /// A number is an `NSNumber`. A to-one relationship is the `NSManagedObjectID` of its
  /// destination. A composite attribute is a dictionary of its elements.
  ///
  /// - Parameter name: The name of the property or of the expression description.
  /// - Returns: The value; nil if the column has no value or does not exist.
  public subscript(name: String) -> Any? { rows.value(of: name, in: row) }

  /// The names of the columns that have a value, in the order of the request.
  public var keys: [String] {
    rows.columns.keys.names.enumerated()
      .filter { rows.hasValue($0.offset, of: row) }.map(\.element)
  }

  /// The number of columns that have a value.
  public var count: Int { keys.count }

  /// The values by column name; columns without a value are omitted.
  public var dictionary: [String: Any] { rows.dictionary(row) }

  /// Returns the value of a column, for sort descriptors and predicates.
  ///
  /// - Parameter key: The name of a column, or the first key of a column name that is a key path.
  /// - Returns: The value of the column; for the first key of a key path, an object from which the
  ///   next key is read. The result is nil if the column has no value, and `NoSuchKey.marker` if
  ///   the row does not have the column.
  public func readableValue(forKey key: String) -> Any? {
    if let position = rows.columns.keys.position(of: key) { return rows.value(position, of: row) }
    let prefix = key + "."
    guard rows.columns.keys.names.contains(where: { $0.hasPrefix(prefix) }) else {
      return NoSuchKey.marker
    }
    return ColumnPath(row: self, prefix: prefix)
  }
}

/// The leading keys of a column name that is a key path.
private struct ColumnPath: KeyValueReadable {
  let row: FetchedRow
  let prefix: String

  func readableValue(forKey key: String) -> Any? { row.readableValue(forKey: prefix + key) }
}
