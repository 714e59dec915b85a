public import Foundation

/// The options of an observer of a property.
///
/// > Reference: Apple, `NSKeyValueObservingOptions`, which Foundation has on Apple platforms only.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: UInt

  /// Creates a set of options from its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The change has the new value.
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  /// The change has the old value.
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  /// The observer is first called once with the current value.
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
  /// The observer is also called before each change.
  public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// How an observed property changed.
///
/// > Reference: Apple, `NSKeyValueChange`, which Foundation has on Apple platforms only.
public enum NSKeyValueChange: UInt, Sendable {
  /// The property has another value, or the same one was set again.
  case setting = 1
  /// Objects became members of a to-many relationship.
  case insertion
  /// Objects were removed from a to-many relationship.
  case removal
  /// Members of an ordered relationship were replaced or moved.
  case replacement
}

/// A change of an observed property.
///
/// > Reference: Apple, `NSKeyValueObservedChange`, which Foundation has on Apple platforms only. Differs: D-273.
public struct NSKeyValueObservedChange<Value> {
  /// How a property changes.
  public typealias Kind = NSKeyValueChange
  /// How the property changed.
  public let kind: Kind
  /// The new value, or the added members; nil without the option `new`, and if members were removed.
  public let newValue: Value?
  /// The old value, or the removed members; nil without the option `old`, and if members were added.
  public let oldValue: Value?
  /// The indexes of added or removed members of an ordered relationship; nil for other properties, and if the
  /// complete value was set.
  public let indexes: IndexSet?
  /// Whether the handler is called before the change, as the option `prior` requests.
  public let isPrior: Bool

  /// Creates a change.
  package init(
    kind: Kind, newValue: Value?, oldValue: Value?, indexes: IndexSet? = nil, isPrior: Bool = false
  ) {
    self.kind = kind
    self.newValue = newValue
    self.oldValue = oldValue
    self.indexes = indexes
    self.isPrior = isPrior
  }
}
