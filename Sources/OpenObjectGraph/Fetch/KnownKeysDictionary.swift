internal import Foundation
internal import OpenPredicates

/// The keys of many dictionaries, and their positions.
final class KnownKeys: Sendable {
  let names: [String]
  private let positions: [String: Int]

  init(_ names: [String]) {
    self.names = names
    positions = Dictionary(
      names.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
  }

  func position(of name: String) -> Int? { positions[name] }
}

/// A dictionary that shares its keys with the other results of its fetch; keys without value are absent.
///
/// Immutable. Values become objects when they are asked for.
final class KnownKeysDictionary: NSDictionary {
  private let keys: KnownKeys
  private let columns: DictionaryColumns?
  private let values: [OpenPredicates.Value]

  init(_ columns: DictionaryColumns, _ values: [OpenPredicates.Value]) {
    keys = columns.keys
    self.columns = columns
    self.values = values
    super.init(objects: [], forKeys: [], count: 0)
  }

  required init?(coder: NSCoder) { nil }

  required convenience init(
    objects: UnsafePointer<AnyObject>?, forKeys keys: UnsafePointer<NSObject>?, count: Int
  ) {
    self.init()
  }

  /// A dictionary without keys.
  private init() {
    keys = KnownKeys([])
    columns = nil
    values = []
    super.init(objects: [], forKeys: [], count: 0)
  }

  override var count: Int { keys.names.indices.count { values[$0] != OpenPredicates.Value.null } }

  override func object(forKey aKey: Any) -> Any? {
    guard let name = aKey as? String ?? (aKey as? NSString).map({ String($0) }),
      let position = keys.position(of: name)
    else { return nil }
    return columns?.value(values, position)
  }

  override func keyEnumerator() -> NSEnumerator {
    let present = zip(keys.names, values).filter { $0.1 != OpenPredicates.Value.null }.map {
      NSString(string: $0.0)
    }
    return NSArray(array: present).objectEnumerator()
  }

  override func copy(with zone: NSZone? = nil) -> Any { self }
}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
