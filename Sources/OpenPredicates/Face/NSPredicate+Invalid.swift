package import Foundation

extension NSPredicate {
  /// A predicate that is never true and makes every fetch with it throw an error.
  ///
  /// - Parameter error: Why the predicate cannot be used.
  /// > Concurrency: Any thread.
  package static func invalid(_ error: PredicateFormatError) -> NSPredicate {
    FormatPredicate(invalid: error)
  }
}
