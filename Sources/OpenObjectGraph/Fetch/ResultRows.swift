internal import Foundation
internal import OpenPredicates
internal import OpenStoreContract

/// The keys that many dictionaries share, and their positions.
final class KnownKeys: Sendable {
  let names: [String]
  /// nil for few names, which are faster to compare than to hash.
  private let positions: [String: Int]?

  init(_ names: [String]) {
    self.names = names
    positions =
      names.count <= 8
      ? nil
      : Dictionary(
        names.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
  }

  func position(of name: String) -> Int? {
    if let positions { return positions[name] }
    return names.firstIndex(of: name)
  }
}

/// The values of consecutive results of a fetch, row by row.
///
/// The values never change.
final class ResultRows {
  let columns: DictionaryColumns
  private let width: Int
  private let values: [OpenPredicates.Value]
  /// The values of transformable attributes, by the position of the column.
  private let decoded: [Int: [Any?]]

  /// Creates the results and decodes the values of their transformable attributes.
  ///
  /// - Throws: `StoreError` with the names of the entity and the attribute for a value that cannot
  ///   be decoded.
  init(
    _ columns: DictionaryColumns, _ values: [OpenPredicates.Value]
  ) throws(StoreError) {
    self.columns = columns
    width = columns.request.width
    self.values = values
    decoded = try columns.decoded(values)
  }

  var count: Int { values.count / width }

  /// The values by which the results of several stores are sorted.
  func sortKeys(of row: Int) -> [OpenPredicates.Value] {
    Array(values[(row + 1) * width - columns.request.sortCount..<(row + 1) * width])
  }

  /// The values that a result has in common only with duplicates of it, also in other stores.
  func distinguishingValues(of row: Int) -> [OpenPredicates.Value] {
    values[row * width..<row * width + columns.request.columns.count]
      .map { columns.inStore($0) }
  }

  /// The stored value of a column.
  func stored(_ column: Int, of row: Int) -> OpenPredicates.Value { values[row * width + column] }

  /// The decoded value of a column with a transformable attribute; nil for null.
  func decoded(_ column: Int, of row: Int) -> Any? {
    guard let values = decoded[column] else { return nil }
    return values[row]
  }

  /// Returns whether a column has a value.
  func hasValue(_ column: Int, of row: Int) -> Bool {
    if columns.isStored(column) { return stored(column, of: row) != .null }
    return value(column, of: row) != nil
  }

  /// The value of a column as the application receives it.
  func value(_ column: Int, of row: Int) -> Any? { columns.value(column, of: row, in: self) }

  /// The value of the column with the given name; nil if there is no such column.
  func value(of name: String, in row: Int) -> Any? {
    guard let position = borrowing(columns.keys, { $0.position(of: name) }) else { return nil }
    return value(position, of: row)
  }

  /// The names as keys for `NSDictionary`.
  var keyObjects: [NSObject] { columns.keys.names.map { NSString(string: $0) } }

  /// Returns the values of a result as an `NSDictionary`, without nil values.
  ///
  /// The result has Foundation's own class, because a subclass casts to an empty Swift dictionary.
  ///
  /// - Parameter keys: The value of ``keyObjects``, computed once for many results.
  func foundationDictionary(_ row: Int, _ keys: [NSObject]) -> NSDictionary {
    var present: [NSObject] = []
    var values: [Any] = []
    for (index, key) in keys.enumerated() {
      guard let value = value(index, of: row) else { continue }
      present.append(key)
      values.append(value)
    }
    return NSDictionary(objects: values, forKeys: present)
  }

  /// Returns the values of a result by name, without nil values.
  func dictionary(_ row: Int) -> [String: Any] {
    var result: [String: Any] = [:]
    result.reserveCapacity(columns.keys.names.count)
    for (index, name) in columns.keys.names.enumerated() {
      if let value = value(index, of: row) { result[name] = value }
    }
    return result
  }
}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
