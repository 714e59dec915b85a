public import Foundation

/// The options for observing a property.
///
/// > Reference: Apple, `NSKeyValueObservingOptions`, which Foundation has on Apple platforms only.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  /// The options as a bit mask.
  public let rawValue: UInt

  /// Creates options from a bit mask.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Includes the new value in each change.
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  /// Includes the old value in each change.
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  /// Calls the handler once with the current value, before `observe(_:options:changeHandler:)`
  /// returns.
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
  /// Also calls the handler before each change, without a new value. For these calls,
  /// ``NSKeyValueObservedChange/isPrior`` is true.
  public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// The kinds of change to an observed property.
///
/// > Reference: Apple, `NSKeyValueChange`, which Foundation has on Apple platforms only.
public enum NSKeyValueChange: UInt, Sendable {
  /// The property was set, possibly to an equal value.
  case setting = 1
  /// Objects were added to a to-many relationship.
  case insertion
  /// Objects were removed from a to-many relationship.
  case removal
  /// Members of an ordered relationship were replaced or moved.
  case replacement
}

/// A change to an observed property.
///
/// > Reference: Apple, `NSKeyValueObservedChange`, which Foundation has on Apple platforms only.
/// > Differs: D-273.
public struct NSKeyValueObservedChange<Value> {
  /// The kind of a change: `.setting`, `.insertion`, `.removal` or `.replacement`.
  public typealias Kind = NSKeyValueChange
  /// The kind of this change.
  public let kind: Kind
  /// The new value, or the members that were added to a relationship.
  ///
  /// The value is nil if the observer does not request the option `new`, for a removal, and in a
  /// call before the change.
  public let newValue: Value?
  /// The old value, or the members that were removed from a relationship.
  ///
  /// The value is nil if the observer does not request the option `old`, for an insertion, and in
  /// the call that the option `initial` requests.
  public let oldValue: Value?
  /// The indexes of the added, removed or replaced members of an ordered relationship.
  ///
  /// The value is nil if the observed property is not an ordered relationship, or if the complete
  /// value of the relationship was set.
  public let indexes: IndexSet?
  /// Whether the handler is called before the change, because of the option `prior`.
  public let isPrior: Bool

  /// Creates a change.
  ///
  /// - Parameters:
  ///   - kind: The kind of change.
  ///   - newValue: The new value or the added members; nil if there are none.
  ///   - oldValue: The old value or the removed members; nil if there are none.
  ///   - indexes: The indexes of the members in an ordered relationship; nil for any other change.
  ///   - isPrior: Whether the handler is called before the change.
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
