public import Foundation

extension NSPredicate {
  /// Whether two predicates have the same meaning. This includes compound predicates, which Foundation on this
  /// platform cannot distinguish.
  ///
  /// The operators see what `isEqual(_:)` of Foundation's compound predicates does not: collections and dictionaries of
  /// predicates still use the latter.
  ///
  /// - Returns: `true` if two predicates mean the same.
  /// > Concurrency: Usable on any thread.
  /// > Reference: Apple, NSPredicate as an object that is equal to one of the same meaning.
  public static func == (one: NSPredicate, other: NSPredicate) -> Bool {
    one.hasSameMeaning(as: other)
  }

  /// Whether two predicates differ in what they mean.
  ///
  /// - Returns: `true` if two predicates differ in what they mean.
  public static func != (one: NSPredicate, other: NSPredicate) -> Bool { !(one == other) }
}

/// Whether both predicates have the same meaning, or both are nil.
///
/// - Returns: `true` if both predicates have the same meaning, or both are nil.
public func == (one: NSPredicate?, other: NSPredicate?) -> Bool {
  guard let one, let other else { return one === other }
  return one.hasSameMeaning(as: other)
}

/// Whether two predicates have different meanings, or only one of them is nil.
///
/// - Returns: `true` if two predicates have different meanings, or only one of them is nil.
public func != (one: NSPredicate?, other: NSPredicate?) -> Bool { !(one == other) }

extension DefaultStringInterpolation {
  /// Writes a predicate as its format, including compound predicates, for which Foundation on this platform has no
  /// text.
  public mutating func appendInterpolation(_ predicate: NSPredicate) {
    appendLiteral(
      predicate.plainCompound == nil ? predicate.description : predicate.canonicalFormat)
  }
}
