public import Foundation

extension NSPredicate {
  /// Returns whether the predicate is true for an object, or throws an error if the evaluation
  /// fails.
  ///
  /// Because `evaluate(with:)` cannot throw, that method treats unknown keys, variables without a
  /// value and unregistered functions as nil, and a comparison of incompatible values as false. In
  /// these cases, this method throws an error. The method also throws if the predicate is invalid
  /// or a fetch in the predicate fails. A nil value and a missing key of a dictionary are not
  /// errors. Block predicates and instances of your own subclasses are evaluated as in
  /// `evaluate(with:)`.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - object: The object, dictionary or value to which `SELF` refers; nil for no value.
  ///   - variables: The values of the variables, keyed by name without the dollar sign; empty for
  ///     no variables.
  /// - Throws: `PredicateEvaluationError` for the first failure, with code `.unknownKey`,
  ///   `.unboundVariable`, `.unknownFunction`, `.typeMismatch`, `.invalidPredicate` or
  ///   `.failedFetch`. The error contains the name of the key, function or variable, if there is
  ///   one.
  /// > Concurrency: Call on a thread or queue on which the object may be read.
  /// > Reference: Apple, NSPredicate, evaluate(with:substitutionVariables:).
  public func evaluating(
    with object: Any?, substitutionVariables variables: [String: Any] = [:]
  ) throws(PredicateEvaluationError) -> Bool {
    let failures = EvaluationFailures()
    let result = holds(for: object, variables, failures)
    if let error = failures.first { throw error }
    return result
  }

  /// Evaluates a predicate of any class, and records errors if requested.
  func holds(
    for object: Any?, _ variables: [String: Any], _ failures: EvaluationFailures?, level: Int = 1
  ) -> Bool {
    switch self {
    case let comparison as NSComparisonPredicate where failures != nil:
      return comparison.content.holds(for: object, variables, failures)
    case let compound as FormatCompoundPredicate:
      return compound.content.holds(for: object, variables, failures)
    case let predicate as FormatPredicate:
      return predicate.content.holds(for: object, variables, failures)
    default: break
    }
    guard let failures, type(of: self) == NSCompoundPredicate.self, let compound = plainCompound
    else { return evaluate(with: object, substitutionVariables: variables) }
    guard level <= TreeDepth.limit else {
      failures.add(.invalid(.tooDeep))
      return false
    }
    func isTrue(_ part: NSPredicate) -> Bool {
      part.holds(for: object, variables, failures, level: level + 1)
    }
    return switch compound.compoundPredicateType {
    case .and: compound.subpredicates.allSatisfy(isTrue)
    case .or: compound.subpredicates.contains(where: isTrue)
    case .not: !(compound.subpredicates.first.map(isTrue) ?? true)
    }
  }
}
