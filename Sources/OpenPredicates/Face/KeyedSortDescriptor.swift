import Foundation

/// The sort descriptor for keys by name and for key paths of any type.
///
/// The sort descriptor is immutable, and confined to one thread or queue like all sort descriptors.
final class KeyedSortDescriptor: NSSortDescriptor {
  let source: SortKey
  let comparison: SortComparison
  /// The selector with which the descriptor was created; nil if a ``SortComparison`` represents the
  /// selector.
  let customSelector: String?
  private let custom: Comparator?

  init(
    _ source: SortKey, ascending: Bool, comparison: SortComparison = .plain,
    custom: Comparator? = nil, customSelector: String? = nil
  ) {
    self.source = source
    self.customSelector = customSelector
    self.comparison = custom == nil ? comparison : .comparator
    self.custom = custom
    super.init(
      keyPath: \Any.self, ascending: ascending,
      comparator: custom ?? { ValueSorting.order($0, $1, comparison) })
  }

  /// Creates a descriptor that sorts with a function that is registered with a selector's name.
  convenience init(_ source: SortKey, ascending: Bool, selectorName name: String) {
    if let comparison = SortComparison(selectorName: name) {
      self.init(source, ascending: ascending, comparison: comparison)
    } else {
      let order: Comparator = { ValueSorting.order($0, $1, selectorName: name) }
      self.init(source, ascending: ascending, custom: order, customSelector: name)
    }
  }

  override var keyPath: AnyKeyPath {
    if case .keyPath(let path) = source { path } else { super.keyPath }
  }

  override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    let (left, right) = (value(of: object1), value(of: object2))
    let order =
      if let custom { custom(left ?? NSNull(), right ?? NSNull()) } else {
        ValueSorting.order(left, right, comparison)
      }
    guard !ascending else { return order }
    switch order {
    case .orderedAscending: return .orderedDescending
    case .orderedDescending: return .orderedAscending
    case .orderedSame: return .orderedSame
    }
  }

  private func value(of object: Any) -> Any? {
    switch source {
    case .key(let key): KeyPathReader.value(atPath: key, of: object)
    case .keyPath(let path): object[keyPath: path]
    case .none: object
    }
  }

  override var reversedSortDescriptor: Any {
    KeyedSortDescriptor(
      source, ascending: !ascending, comparison: comparison, custom: custom,
      customSelector: customSelector)
  }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? KeyedSortDescriptor else { return false }
    if self === other { return true }
    let isComparable = custom == nil && other.custom == nil || customSelector != nil
    return isComparable && customSelector == other.customSelector && source == other.source
      && ascending == other.ascending && comparison == other.comparison
  }

  override var hash: Int {
    source.hashValue ^ (ascending ? 1 : 0)
  }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override var description: String {
    let order = customSelector ?? "\(comparison)"
    return "(\(key ?? "self"), \(ascending ? "ascending" : "descending"), \(order))"
  }
}
