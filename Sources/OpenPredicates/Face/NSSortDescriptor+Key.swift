public import Foundation

/// The initializers of `NSSortDescriptor` that Foundation lacks on this platform.
///
/// Only `NSSortDescriptor` conforms.
public protocol KeyInitializable {}

extension NSSortDescriptor: KeyInitializable {}

extension KeyInitializable {
  /// Sorts by the values at a key path, or by the objects themselves if it is nil.
  public init(key: String?, ascending: Bool) {
    self = Self.made(KeyedSortDescriptor(.named(key), ascending: ascending))
  }

  /// Sorts by the values at a key path, with a named comparison of strings.
  ///
  /// An addition that replaces Apple's initializer with a selector, because this platform has no selectors.
  public init(key: String?, ascending: Bool, comparison: SortComparison) {
    self = Self.made(
      KeyedSortDescriptor(.named(key), ascending: ascending, comparison: comparison))
  }

  /// Sorts by the values at a key path, with the comparison of the named selector.
  ///
  /// An addition that replaces Apple's initializer with a selector, because this platform has no selectors. The
  /// names are `compare:`, `caseInsensitiveCompare:`, `localizedCompare:`,
  /// `localizedCaseInsensitiveCompare:`, `localizedStandardCompare:`, and in memory those of functions
  /// registered with ``PredicateFunctions``; with any other name all values are equal.
  ///
  /// - Parameters:
  ///   - key: The key path; nil sorts by the objects themselves.
  ///   - ascending: Whether the smallest comes first.
  ///   - selectorName: The selector's name with its colon.
  public init(key: String?, ascending: Bool, selectorName: String) {
    self = Self.made(
      KeyedSortDescriptor(.named(key), ascending: ascending, selectorName: selectorName))
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

  /// Sorts by the values of a property, with a named comparison of strings.
  ///
  /// An addition, like the initializer with a key.
  public init<Root, PropertyValue>(
    keyPath: KeyPath<Root, PropertyValue>, ascending: Bool, comparison: SortComparison
  ) {
    self = Self.made(
      KeyedSortDescriptor(.keyPath(keyPath), ascending: ascending, comparison: comparison))
  }

  /// Sorts by a key.
  init(source: SortKey, ascending: Bool, comparison: SortComparison) {
    self = Self.made(KeyedSortDescriptor(source, ascending: ascending, comparison: comparison))
  }

  private static func made(_ descriptor: KeyedSortDescriptor) -> Self {
    // The types are the same, which only the check at run time can show the compiler.
    if Self.self == NSSortDescriptor.self { return unsafeBitCast(descriptor, to: Self.self) }
    return cast(descriptor)
  }

  @inline(never)
  private static func cast(_ descriptor: KeyedSortDescriptor) -> Self {
    guard let result = descriptor as? Self else {
      preconditionFailure("A key makes an NSSortDescriptor, not a subclass of it.")
    }
    return result
  }
}

extension NSSortDescriptor {
  /// The names of the key path it sorts by; nil for the objects themselves.
  ///
  /// A Swift key path has names when it is one of a managed object's class or of a type with `@ReadableByKey`.
  public var key: String? {
    switch sortKey {
    case .key(let name): name
    case .keyPath(let path): KeyPathNames.name(of: path)
    case .none: nil
    }
  }

  /// The name of the descriptor's selector; nil for a comparator.
  ///
  /// For a descriptor that Foundation created from a key path and a comparator, it is `compare:`. It replaces Apple's
  /// property `selector`.
  public var selectorName: String? {
    (self as? KeyedSortDescriptor)?.customSelector ?? sortComparison.selectorName
  }

  /// The sort key, for query planning.
  public var sortKey: SortKey {
    (self as? KeyedSortDescriptor)?.source ?? .keyPath(keyPath)
  }

  /// How the descriptor compares strings.
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
