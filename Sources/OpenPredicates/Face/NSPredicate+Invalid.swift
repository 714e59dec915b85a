package import Foundation

extension NSPredicate {
  /// Returns a predicate that is never true; a fetch with this predicate throws `error`.
  ///
  /// - Parameter error: The error that explains why the predicate is invalid.
  /// > Concurrency: Usable on any thread.
  package static func invalid(_ error: PredicateFormatError) -> NSPredicate {
    FormatPredicate(invalid: error)
  }
}
