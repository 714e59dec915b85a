public import Foundation

extension NSPredicate {
  /// Returns whether two predicates have the same meaning.
  ///
  /// Unlike Foundation's `isEqual(_:)` on this platform, the operator also compares compound
  /// predicates. Collections and dictionaries of predicates still use `isEqual(_:)`.
  ///
  /// > Concurrency: Usable on any thread.
  /// > Reference: Apple, NSPredicate, isEqual(_:).
  public static func == (one: NSPredicate, other: NSPredicate) -> Bool {
    one.hasSameMeaning(as: other)
  }

  /// Returns whether two predicates have different meanings.
  public static func != (one: NSPredicate, other: NSPredicate) -> Bool { !(one == other) }
}

/// Returns whether two predicates have the same meaning or are both nil.
public func == (one: NSPredicate?, other: NSPredicate?) -> Bool {
  guard let one, let other else { return one === other }
  return one.hasSameMeaning(as: other)
}

/// Returns whether two predicates have different meanings, or whether exactly one of them is nil.
public func != (one: NSPredicate?, other: NSPredicate?) -> Bool { !(one == other) }

extension DefaultStringInterpolation {
  /// Appends a description of a predicate to the string.
  ///
  /// On this platform, Foundation does not describe predicates that were created from a Boolean
  /// value, a block or other predicates. For such a predicate, the method appends the
  /// `canonicalFormat`. For any other predicate, the method appends the `description`.
  public mutating func appendInterpolation(_ predicate: NSPredicate) {
    let isUndescribed =
      type(of: predicate) == NSPredicate.self || predicate.plainCompound != nil
    appendLiteral(isUndescribed ? predicate.canonicalFormat : predicate.description)
  }
}
