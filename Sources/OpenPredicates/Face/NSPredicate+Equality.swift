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
  /// Appends the canonical format of a predicate to the string.
  ///
  /// Unlike Foundation's description on this platform, the format also describes compound
  /// predicates.
  public mutating func appendInterpolation(_ predicate: NSPredicate) {
    appendLiteral(
      predicate.plainCompound == nil ? predicate.description : predicate.canonicalFormat)
  }
}
