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

/// A dictionary that shares its keys and its storage with other results of its fetch; keys without value are absent.
///
/// Immutable. Values become objects when they are asked for.
final class KnownKeysDictionary: NSDictionary {
  private let rows: ResultRows?
  private let row: Int

  init(_ rows: ResultRows, _ row: Int) {
    self.rows = rows
    self.row = row
    super.init(objects: nil, forKeys: nil, count: 0)
  }

  required init?(coder: NSCoder) { nil }

  /// A dictionary without keys.
  required init(
    objects: UnsafePointer<AnyObject>?, forKeys keys: UnsafePointer<NSObject>?, count: Int
  ) {
    rows = nil
    row = 0
    super.init(objects: nil, forKeys: nil, count: 0)
  }

  /// Hands over where the values are.
  func withRow(
    _ body: (ResultRows, Range<Int>) throws(StoreError) -> Void
  ) throws(StoreError) {
    if let rows { try body(rows, row..<row + 1) }
  }

  private var present: [String] {
    guard let rows else { return [] }
    return zip(rows.columns.keys.names, rows.values(of: row))
      .filter { $0.1 != OpenPredicates.Value.null }.map(\.0)
  }

  override var count: Int { present.count }

  override func object(forKey aKey: Any) -> Any? {
    guard let name = Self.name(aKey) else { return nil }
    return borrowing(rows) { $0.value(of: name, in: row) } ?? nil
  }

  /// A key as text; a `String`, as almost all are, is told by its metatype, because a cast costs as much as the rest.
  private static func name(_ key: Any) -> String? {
    func open<Key>(_ key: Key) -> String? {
      if Key.self == String.self { return unsafeBitCast(key, to: String.self) }
      return key as? String ?? (key as? NSString).map { String($0) }
    }
    return _openExistential(key, do: open)
  }

  override func keyEnumerator() -> NSEnumerator {
    NSArray(array: present.map { NSString(string: $0) }).objectEnumerator()
  }

  override func copy(with zone: NSZone? = nil) -> Any { self }
}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
