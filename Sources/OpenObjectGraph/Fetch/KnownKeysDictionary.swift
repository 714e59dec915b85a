internal import Foundation
internal import OpenPredicates

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

/// The values of some neighbouring results of a fetch, side by side.
///
/// Filled by the fetch, immutable from then on.
final class ResultRows {
  private static let capacity = 256

  let columns: DictionaryColumns
  private let width: Int
  @exclusivity(unchecked) private var values: [OpenPredicates.Value] = []
  @exclusivity(unchecked) private var count = 0

  init(_ columns: DictionaryColumns) {
    self.columns = columns
    width = columns.request.width
  }

  var isFull: Bool { count == Self.capacity }

  /// Adds the values of a result and makes its dictionary.
  func append(_ row: [OpenPredicates.Value]) -> KnownKeysDictionary {
    values.append(contentsOf: row)
    defer { count += 1 }
    return KnownKeysDictionary(self, count)
  }

  func values(of row: Int) -> ArraySlice<OpenPredicates.Value> {
    values[row * width..<(row + 1) * width]
  }

  /// The value of a column as applications see it.
  func value(_ column: Int, of row: Int) -> Any? {
    columns.value(column, values, from: row * width)
  }
}

/// A dictionary that shares its keys and its storage with other results of its fetch; keys without value are absent.
///
/// Immutable. Values become objects when they are asked for.
final class KnownKeysDictionary: NSDictionary {
  private let rows: ResultRows?
  private let row: Int

  fileprivate init(_ rows: ResultRows, _ row: Int) {
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

  private var present: [String] {
    guard let rows else { return [] }
    return zip(rows.columns.keys.names, rows.values(of: row))
      .filter { $0.1 != OpenPredicates.Value.null }.map(\.0)
  }

  override var count: Int { present.count }

  override func object(forKey aKey: Any) -> Any? {
    guard let rows, let name = Self.name(aKey),
      let position = rows.columns.keys.position(of: name)
    else { return nil }
    return rows.value(position, of: row)
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
