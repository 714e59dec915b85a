package import Foundation

extension NSPredicate {
  /// Returns a predicate that is never true; a fetch with this predicate throws an error.
  ///
  /// - Parameter error: The reason why the predicate cannot be used.
  /// > Concurrency: Usable on any thread.
  package static func invalid(_ error: PredicateFormatError) -> NSPredicate {
    FormatPredicate(invalid: error)
  }
}
