import Foundation
import OpenPredicates

/// Creates a predicate, or throws the error of its format.
func makePredicate(_ format: String, _ arguments: [Any?] = []) throws -> NSPredicate {
  try NSPredicate.parsing(format, arguments)
}

/// The error of a format that must not parse; nil if it parses.
func failure(_ format: String, _ arguments: [Any?] = []) -> PredicateFormatError? {
  do throws(PredicateFormatError) {
    _ = try NSPredicate.parsing(format, arguments)
    return nil
  } catch {
    return error
  }
}

/// Evaluates a format over an object.
func holds(_ format: String, _ arguments: [Any?] = [], for object: Any?) throws -> Bool {
  try makePredicate(format, arguments).evaluate(with: object)
}
