internal import OpenPredicates
internal import OpenStoreContract

extension StoreError {
  /// Returns the error for a predicate that cannot be evaluated in memory for an object.
  ///
  /// The message does not contain the class of a value, which may differ between stores.
  static func unevaluated(_ error: PredicateEvaluationError, entityName: String) -> StoreError {
    let message =
      switch (error.code, error.name) {
      case (.unknownKey, let name?): "An object or value has no property “\(name)”."
      case (.typeMismatch, let name?) where name.hasPrefix("@"):
        "“\(name)” must follow an array or a set."
      default: error.description
      }
    return StoreError(.unsupportedPredicate, message, entityName: entityName, underlying: error)
  }
}
