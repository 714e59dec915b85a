public import Foundation

extension NSPredicate {
  /// Whether the predicate holds for an object, with an error where `evaluate(with:)` reads nil.
  ///
  /// An addition. `evaluate(with:)` cannot throw: to it, a key that an object does not have, a variable
  /// without a value and a function that nobody registered are nil, and values of kinds that do not fit
  /// make a comparison false. Here the first of these that the evaluation meets is thrown. Nil itself is
  /// no mistake, and neither is a key that a dictionary lacks. Blocks and predicates of other classes
  /// are evaluated as they are.
  ///
  /// - Parameters:
  ///   - object: The object, dictionary or value that `SELF` stands for.
  ///   - variables: Values by variable name, without the dollar sign.
  /// - Throws: `PredicateEvaluationError`, which names the key, function or variable.
  /// > Concurrency: Where the object may be read.
  /// > Reference: Apple, NSPredicate, evaluate(with:substitutionVariables:).
  public func evaluating(
    with object: Any?, substitutionVariables variables: [String: Any] = [:]
  ) throws(PredicateEvaluationError) -> Bool {
    let failures = EvaluationFailures()
    let result = holds(for: object, variables, failures)
    if let error = failures.first { throw error }
    return result
  }

  /// Evaluates the predicate, whatever its class, reporting failures where they are wanted.
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
