public import Foundation

/// A protocol whose extension provides the `NSSortDescriptor` initializers missing from Foundation
/// on this platform.
///
/// Only `NSSortDescriptor` conforms to this protocol. The initializers trap if they are called on a
/// subclass.
public protocol KeyInitializable {}

extension NSSortDescriptor: KeyInitializable {}

extension KeyInitializable {
  /// Creates a descriptor that sorts by the values at a key path.
  ///
  /// - Parameters:
  ///   - key: The key path; nil to sort by the objects themselves.
  ///   - ascending: Whether the smallest value comes first.
  public init(key: String?, ascending: Bool) {
    self = Self.made(KeyedSortDescriptor(.named(key), ascending: ascending))
  }

  /// Creates a descriptor that sorts by the values at a key path, with a rule for comparing
  /// strings.
  ///
  /// Use this initializer instead of Apple's `init(key:ascending:selector:)`, because this platform
  /// has no selectors.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - key: The key path; nil to sort by the objects themselves.
  ///   - ascending: Whether the smallest value comes first.
  ///   - comparison: The rule for comparing strings. With ``SortComparison/comparator``, the
  ///     descriptor sorts in memory, and compares strings by their bytes.
  public init(key: String?, ascending: Bool, comparison: SortComparison) {
    self = Self.made(
      KeyedSortDescriptor(.named(key), ascending: ascending, comparison: comparison))
  }

  /// Creates a descriptor that sorts by the values at a key path, and compares the values as a
  /// named selector does.
  ///
  /// Use this initializer instead of Apple's `init(key:ascending:selector:)`, because this platform
  /// has no selectors. Supported names are `compare:`, `caseInsensitiveCompare:`,
  /// `localizedCompare:`, `localizedCaseInsensitiveCompare:` and `localizedStandardCompare:`.
  /// Sorting in memory also supports the names of functions that are registered with
  /// ``PredicateFunctions``. A descriptor with any other name treats all values as equal.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - key: The key path; nil to sort by the objects themselves.
  ///   - ascending: Whether the smallest value comes first.
  ///   - selectorName: The name of the selector, with its colon.
  public init(key: String?, ascending: Bool, selectorName: String) {
    self = Self.made(
      KeyedSortDescriptor(.named(key), ascending: ascending, selectorName: selectorName))
  }

  /// Creates a descriptor that sorts by the values at a key path, with a comparator.
  ///
  /// Stores cannot execute comparators, so a fetch with this descriptor sorts in memory.
  ///
  /// - Parameters:
  ///   - key: The key path; nil to sort by the objects themselves.
  ///   - ascending: Whether the smallest value comes first.
  ///   - comparator: The comparator, which receives `NSNull` for null.
  public init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
    self = Self.made(
      KeyedSortDescriptor(.named(key), ascending: ascending, custom: comparator))
  }

  /// Creates a descriptor that sorts by the values of a property of any type.
  ///
  /// A fetch of managed objects throws `CocoaError` 134060 if the key path does not refer to a
  /// managed property.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the property.
  ///   - ascending: Whether the smallest value comes first.
  public init<Root, PropertyValue>(keyPath: KeyPath<Root, PropertyValue>, ascending: Bool) {
    self = Self.made(KeyedSortDescriptor(.keyPath(keyPath), ascending: ascending))
  }

  /// Creates a descriptor that sorts by the values of a property, with a rule for comparing
  /// strings.
  ///
  /// A fetch of managed objects throws `CocoaError` 134060 if the key path does not refer to a
  /// managed property.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the property.
  ///   - ascending: Whether the smallest value comes first.
  ///   - comparison: The rule for comparing strings.
  public init<Root, PropertyValue>(
    keyPath: KeyPath<Root, PropertyValue>, ascending: Bool, comparison: SortComparison
  ) {
    self = Self.made(
      KeyedSortDescriptor(.keyPath(keyPath), ascending: ascending, comparison: comparison))
  }

  /// Creates a descriptor that sorts by a key.
  init(source: SortKey, ascending: Bool, comparison: SortComparison) {
    self = Self.made(KeyedSortDescriptor(source, ascending: ascending, comparison: comparison))
  }

  private static func made(_ descriptor: KeyedSortDescriptor) -> Self {
    // The types are equal, which the compiler can only verify by a check at run time.
    if Self.self == NSSortDescriptor.self { return unsafeBitCast(descriptor, to: Self.self) }
    return cast(descriptor)
  }

  @inline(never)
  private static func cast(_ descriptor: KeyedSortDescriptor) -> Self {
    guard let result = descriptor as? Self else {
      preconditionFailure(
        "A subclass of NSSortDescriptor cannot be created with a key. Use NSSortDescriptor.")
    }
    return result
  }
}

extension NSSortDescriptor {
  /// The key path by which the descriptor sorts; nil if the descriptor sorts by the objects
  /// themselves.
  ///
  /// For a descriptor with a Swift key path, the value is nil if the root of the key path is
  /// neither a managed object class nor a type with `@ReadableByKey`.
  public var key: String? {
    switch sortKey {
    case .key(let name): name
    case .keyPath(let path): KeyPathNames.name(of: path)
    case .none: nil
    }
  }

  /// The name of the descriptor's selector; nil if the descriptor uses a comparator.
  ///
  /// This property replaces Apple's property `selector`. For a descriptor that Foundation created
  /// from a key path and a comparator, the name is `compare:`.
  ///
  /// This is an addition to Apple's API.
  public var selectorName: String? {
    (self as? KeyedSortDescriptor)?.customSelector ?? sortComparison.selectorName
  }

  /// The sort key of the descriptor, for query planning. The sort key of a descriptor that
  /// Foundation created is a Swift key path.
  public var sortKey: SortKey {
    (self as? KeyedSortDescriptor)?.source ?? .keyPath(keyPath)
  }

  /// The rule by which the descriptor compares strings; ``SortComparison/plain`` for a descriptor
  /// that Foundation created.
  public var sortComparison: SortComparison {
    (self as? KeyedSortDescriptor)?.comparison ?? .plain
  }
}

extension SortKey {
  /// Returns the key with the given name; nil sorts by the objects themselves.
  static func named(_ key: String?) -> SortKey {
    key.map(SortKey.key) ?? .none
  }
}
