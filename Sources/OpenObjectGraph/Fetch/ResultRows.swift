internal import Foundation
internal import OpenPredicates
internal import OpenStoreContract

/// The keys of many dictionaries, and their positions.
final class KnownKeys: Sendable {
  let names: [String]
  /// Nil for few names, which are faster compared than hashed.
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

/// The values of some neighbouring results of a fetch, side by side. Immutable.
final class ResultRows {
  let columns: DictionaryColumns
  private let width: Int
  private let values: [OpenPredicates.Value]

  init(_ columns: DictionaryColumns, _ values: [OpenPredicates.Value]) {
    self.columns = columns
    width = columns.request.width
    self.values = values
  }

  var count: Int { values.count / width }

  func values(of row: Int) -> ArraySlice<OpenPredicates.Value> {
    values[row * width..<(row + 1) * width]
  }

  /// The value of a column as it is stored.
  func stored(_ column: Int, of row: Int) -> OpenPredicates.Value { values[row * width + column] }

  /// The value of a column as applications see it.
  func value(_ column: Int, of row: Int) -> Any? {
    columns.value(column, values, from: row * width)
  }

  /// The value of the column with a name; nil without one.
  func value(of name: String, in row: Int) -> Any? {
    guard let position = borrowing(columns.keys, { $0.position(of: name) }) else { return nil }
    return value(position, of: row)
  }

  /// The names as the keys of `NSDictionary`.
  var keyObjects: [NSObject] { columns.keys.names.map { NSString(string: $0) } }

  /// The values of a result as an `NSDictionary`, without those that are nil.
  ///
  /// Of Foundation's own class: a cast to a Swift dictionary finds nothing in any subclass of it.
  ///
  /// - Parameter keys: ``keyObjects``, made once for many results.
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

  /// The values of a result by their names, without those that are nil.
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
