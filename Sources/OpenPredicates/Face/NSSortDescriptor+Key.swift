public import Foundation

/// Gives `NSSortDescriptor` the initializers Foundation lacks on this platform.
///
/// Only `NSSortDescriptor` conforms.
public protocol KeyInitializable {}

extension NSSortDescriptor: KeyInitializable {}

extension KeyInitializable {
  /// Sorts by the values at a key path; by the objects themselves when it is nil.
  public init(key: String?, ascending: Bool) {
    self = Self.made(KeyedSortDescriptor(.named(key), ascending: ascending))
  }

  /// Sorts by the values at a key path, comparing texts in a named way.
  ///
  /// An addition: it stands for Apple's initializer with a selector, which this platform has not.
  public init(key: String?, ascending: Bool, comparison: SortComparison) {
    self = Self.made(
      KeyedSortDescriptor(.named(key), ascending: ascending, comparison: comparison))
  }

  /// Sorts by the values at a key path with a comparator; null is given as `NSNull`.
  public init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
    self = Self.made(
      KeyedSortDescriptor(.named(key), ascending: ascending, custom: comparator))
  }

  /// Sorts by the values of a property of any type.
  public init<Root, PropertyValue>(keyPath: KeyPath<Root, PropertyValue>, ascending: Bool) {
    self = Self.made(KeyedSortDescriptor(.keyPath(keyPath), ascending: ascending))
  }

  /// Sorts by the values of a property, comparing texts in a named way.
  ///
  /// An addition, like the initializer with a key.
  public init<Root, PropertyValue>(
    keyPath: KeyPath<Root, PropertyValue>, ascending: Bool, comparison: SortComparison
  ) {
    self = Self.made(
      KeyedSortDescriptor(.keyPath(keyPath), ascending: ascending, comparison: comparison))
  }

  private static func made(_ descriptor: KeyedSortDescriptor) -> Self {
    guard let result = descriptor as? Self else {
      preconditionFailure("A key makes an NSSortDescriptor, not a subclass of it.")
    }
    return result
  }
}

extension NSSortDescriptor {
  /// The key path the descriptor was made with, when it was made with a name.
  public var key: String? {
    if case .key(let name) = sortKey { name } else { nil }
  }

  /// What the descriptor sorts by, for those who plan with it.
  public var sortKey: SortKey {
    (self as? KeyedSortDescriptor)?.source ?? .keyPath(keyPath)
  }

  /// How the descriptor compares texts.
  public var sortComparison: SortComparison {
    (self as? KeyedSortDescriptor)?.comparison ?? .plain
  }
}

extension SortKey {
  /// The key of a name; `self` and nil mean the objects themselves.
  static func named(_ key: String?) -> SortKey {
    key.map(SortKey.key) ?? .none
  }
}
