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

/// Returns whether two predicates have different meanings, or only one of them is nil.
public func != (one: NSPredicate?, other: NSPredicate?) -> Bool { !(one == other) }

extension DefaultStringInterpolation {
  /// Appends the format of a predicate.
  ///
  /// The format includes compound predicates, which Foundation on this platform cannot describe.
  public mutating func appendInterpolation(_ predicate: NSPredicate) {
    appendLiteral(
      predicate.plainCompound == nil ? predicate.description : predicate.canonicalFormat)
  }
}
