internal import Foundation
internal import OpenPredicates
internal import OpenStoreContract

/// The part of a fetch request that neither a store nor memory can execute.
package enum UnsupportedPart {
  case predicate
  case order
}

extension NSManagedObjectContext {
  /// Returns the part of a request that caused the error of a fetch; nil if the error has another
  /// cause.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - error: The error that a fetch or a count of the request threw.
  package final func unsupportedPart<Result>(
    of request: NSFetchRequest<Result>, causing error: any Error
  ) -> UnsupportedPart? {
    if error is PredicateFormatError { return .predicate }
    guard let error = error as? CocoaError,
      let cause = error.userInfo[OpenStoreErrorKey] as? StoreError,
      cause.code == .unsupportedPredicate
    else { return nil }
    let unsorted = NSFetchRequest<NSManagedObject>(copying: request)
    unsorted.sortDescriptors = nil
    if !canPrepare(unsorted) { return .predicate }
    if !canPrepare(request) || request.predicate == nil { return .order }
    // The request is too large for a store, or a key path for prefetching is invalid.
    return cause.propertyName == nil ? .predicate : nil
  }

  private final func canPrepare<Result>(_ request: NSFetchRequest<Result>) -> Bool {
    // The caller already has the error.
    (try? PreparedFetch(request, in: self)) != nil
  }
}
